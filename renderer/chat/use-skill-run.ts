import { storeToRefs } from "pinia";
import { watch, type Ref } from "vue";
import { skillCommand, skillLineOf } from "../../shared/command-line.ts";
import { act } from "../failures.ts";
import { useSkillForm } from "./skill-form.ts";
import type { RunnableSkill } from "./skill-index.ts";
import { needsForm, skillLine } from "./skill-line.ts";
import { useSkills } from "./skills.ts";

interface Composer {
  readonly draft: Ref<string>;
  /** Sends a text; a draft that says the same is spent. */
  readonly post: (text: string) => void;
  readonly fill: (text: string) => Promise<void>;
}

/** How a skill is run from the composer: at once, or by the form of its arguments. The draft outlives the form. */
export function useSkillRun({ draft, post, fill }: Composer) {
  const store = useSkillForm();
  const skills = useSkills();
  const { open: form } = storeToRefs(store);
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

  return {
    form,
    change: store.change,
    /** A skill was chosen. `rest` is what it is to be given, `lead` what the draft has before that. */
    choose(skill: RunnableSkill, rest: string, lead: string): void {
      if (!skill.takesArguments) return void fill(`${typed(skill.name)} ${rest}`);
      once(async () => store.show(await store.ask(skill.name), rest, lead));
    },
    /** Sends a draft. A skill whose arguments are missing or wrong is not sent: its form opens with what was typed. */
    send(text: string): void {
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
      draft.value = "";
      store.forget();
      post(skillLine(typed(invocation.name), invocation.schema, values, text));
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
