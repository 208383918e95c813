import { expect, test } from "vitest";
import { mountApp } from "../mount.testing.ts";
import UserEntry from "./UserEntry.vue";

test("a message begins with a heading, so that a screen reader goes from turn to turn", () => {
  const { wrapper } = mountApp(UserEntry, { props: { text: "Write the notes" } });
  const heading = wrapper.get("h2");
  expect(heading.text()).toBe("You");
  expect(heading.classes()).toEqual(["visually-hidden"]);
});
