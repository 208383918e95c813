import { defineStore } from "pinia";
import { computed } from "vue";
import { useWorkspace } from "../app/store.ts";
import { skillIndex } from "./skill-index.ts";
import { useChat } from "./store.ts";

/** The skills of the chat on screen, made ready once for all that ask. */
export const useSkills = defineStore("chat-skills", () => {
  const chat = useChat();
  const workspace = useWorkspace();
  return {
    /** What a person may run here. */
    index: computed(() => skillIndex(workspace.skills, chat.sessionId)),
    /** Whatever its state: what was sent once names it still. */
    names: computed((): ReadonlySet<string> => new Set(workspace.skills.map(({ name }) => name))),
    commandNames: computed((): ReadonlySet<string> => new Set(workspace.commands.map(({ name }) => name))),
  };
});
