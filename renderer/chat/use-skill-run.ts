import { storeToRefs } from "pinia";
import { watch, type Ref } from "vue";
import { parseCommand, skillCommand, skillLineOf } from "../../shared/command-line.ts";
import type { McpTemplateRow } from "../../shared/mcp.ts";
import { expandTemplate } from "../../shared/uri-template.ts";
import type { CommandRow } from "../../shared/workspace.ts";
import { useWorkspace } from "../app/store.ts";
import { act } from "../failures.ts";
import { commandInvocation, templateInvocation } from "./invocations.ts";
import { useSkillForm, type Invocation } from "./skill-form.ts";
import type { RunnableSkill } from "./skill-index.ts";
import { needsForm, skillLine } from "./skill-line.ts";
import { useSkills } from "./skills.ts";

interface Composer {
  readonly draft: Ref<string>;
  /** Sends a text; a draft that says the same is spent. */
  readonly post: (text: string) => void;
  readonly fill: (text: string, at?: number) => Promise<void>;
}

/**
 * How a skill or a command is run from the composer: at once, or by the form of its arguments. The draft outlives the form.
 * A template of addresses is filled in by the same form, and then stands in the draft.
 */
export function useSkillRun({ draft, post, fill }: Composer) {
  const store = useSkillForm();
  const skills = useSkills();
  const { open: form } = storeToRefs(store);
  const workspace = useWorkspace();
  const typed = (name: string): string => skillCommand(name, skills.commandNames);
  watch(draft, (text) => void (text === "" && store.forget()), { flush: "sync" });
  let asking = false;
  /** One question at a time: Enter twice opens one form. */
  const once = (work: () => Promise<void>): void => {
    if (asking) return;
    asking = true;
    act(async () => {
      try {
        await work();
      } finally {
        asking = false;
      }
    });
  };
  /** The address that was filled in, as a message mentions it. */
  const attach = (
    { row, from, to }: NonNullable<Invocation["template"]>,
    values: Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    // What stands before the first colon is the server: no part of the address.
    const at = row.mention.indexOf(":") + 1;
    const mention = row.mention.slice(0, at) + expandTemplate(row.mention.slice(at), values);
    const before = `${draft.value.slice(0, from)}${mention} `;
    return fill(before + draft.value.slice(to).replace(/^ /, ""), before.length);
  };

  return {
    form,
    change: store.change,
    /** A skill was chosen. `rest` is what it is to be given, `lead` what the draft has before that. */
    choose(skill: RunnableSkill, rest: string, lead: string): void {
      if (!skill.takesArguments) return void fill(`${typed(skill.name)} ${rest}`);
      once(async () => store.show(await store.ask(skill.name), rest, lead));
    },
    /** A command was chosen: one with arguments asks for them. */
    chooseCommand(row: CommandRow): void {
      if (row.arguments) return store.show(commandInvocation(row), "", `/${row.name} `);
      void fill(row.hint === undefined ? `/${row.name}` : `/${row.name} `);
    },
    /** A template was chosen for what stands at `from` to `to` of the draft. */
    chooseTemplate(row: McpTemplateRow, from: number, to: number): void {
      store.show(templateInvocation(row, from, to), "", "");
    },
    /** Sends a draft. A skill or a command whose arguments are missing or wrong is not sent: its form opens with what was typed. */
    send(text: string): void {
      const command = parseCommand(text);
      const row = command && workspace.commands.find(({ name }) => name === command.name);
      if (row?.arguments && command && needsForm(row.arguments, command.args))
        return store.show(commandInvocation(row), command.args, `/${row.name} `);
      const line = skillLineOf(text, skills.commandNames);
      if (!line || !skills.index.find(line.name)?.takesArguments) return post(text);
      once(async () => {
        const invocation = await store.ask(line.name);
        if (needsForm(invocation.schema, line.rest))
          store.show(invocation, line.rest, `${typed(line.name)} `);
        else post(text);
      });
    },
    /** The form is filled in. */
    submit(): void {
      const filled = form.value;
      if (!filled) return;
      const { invocation, values, text } = filled;
      store.close();
      if (invocation.template) return void attach(invocation.template, values);
      draft.value = "";
      store.forget();
      const command = invocation.command ? `/${invocation.name}` : typed(invocation.name);
      post(skillLine(command, invocation.schema, values, text));
    },
    /** The draft stays as it was, with what was written in the form behind its name. */
    cancel(): void {
      const left = form.value;
      if (!left) return;
      store.close();
      void fill(left.text === left.first ? draft.value : left.lead + left.text);
    },
  };
}
