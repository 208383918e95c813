import { expect, test } from "vitest";
import { skillRow } from "../fixtures.testing.ts";
import { mountApp } from "../mount.testing.ts";
import UserEntry from "./UserEntry.vue";

test("a message begins with a heading, so that a screen reader goes from turn to turn", () => {
  const { wrapper } = mountApp(UserEntry, { props: { text: "Write the notes" } });
  const heading = wrapper.get("h2");
  expect(heading.text()).toBe("You");
  expect(heading.classes()).toEqual(["visually-hidden"]);
});

test("a message shows the skills that it was sent with, whatever their state is by now, and its text as typed", () => {
  const view = {
    skills: [skillRow({ name: "pdf", state: "off" }), skillRow({ name: "notes" })],
    commands: [{ name: "mcp", description: "" }],
  };
  const text = "/pdf with @notes";
  const { wrapper } = mountApp(UserEntry, { props: { text }, view });
  const used = wrapper.get("[aria-label='Skills used']");
  expect(used.findAll("li").map((one) => one.text())).toEqual(["pdf", "notes"]);
  expect(wrapper.get(".typed").text()).toBe(text);
  const refused = mountApp(UserEntry, { props: { text, unused: ["pdf"] }, view }).wrapper;
  expect(refused.findAll("[aria-label='Skills used'] li").map((one) => one.text())).toEqual(["notes"]);
  const plain = mountApp(UserEntry, { props: { text: "/mcp list" }, view }).wrapper;
  expect(plain.find("[aria-label='Skills used']").exists()).toBe(false);
});
