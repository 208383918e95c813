import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { Loopback } from "./loopback.ts";

const status = async (url: string): Promise<number> => (await fetch(url)).status;

describe("the address that a browser comes back to", () => {
  it("takes the one answer that bears the state, and is gone when closed", async () => {
    const loopback = await Loopback.open("s1");
    expect(loopback.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(await status(`${loopback.url}?code=stolen&state=other`)).toBe(404);
    expect(await status(`${loopback.url}?code=stolen`)).toBe(404);
    expect(await status(`${loopback.url}/x?code=stolen&state=s1`)).toBe(404);
    expect(await status(`${loopback.url}?code=c1&state=s1&iss=https%3A%2F%2Fa`)).toBe(200);
    expect(Object.fromEntries(await loopback.answer)).toEqual({ code: "c1", state: "s1", iss: "https://a" });
    await loopback.close(new Error("over"));
    await expect(fetch(loopback.url)).rejects.toThrow();
  });
  it("what is no address is nothing, and who stops in the middle of a request holds nobody", async () => {
    const loopback = await Loopback.open("s1");
    const port = Number(new URL(loopback.url).port);
    const strange = connect(port, "127.0.0.1");
    strange.end("GET // HTTP/1.1\r\nhost: a\r\n\r\n");
    expect(await text(strange)).toContain("404");
    const idle = connect(port, "127.0.0.1");
    idle.on("error", () => idle.destroy());
    idle.write("GET /callback HTTP/1.1\r\n");
    expect(await status(`${loopback.url}?state=other`)).toBe(404);
    await loopback.close(new Error("over"));
  });
  it("keeps the first answer", async () => {
    const loopback = await Loopback.open("s1");
    await status(`${loopback.url}?code=first&state=s1`);
    await status(`${loopback.url}?code=second&state=s1`);
    expect((await loopback.answer).get("code")).toBe("first");
    await loopback.close(new Error("over"));
  });
  it("stops waiting with the reason of its end", async () => {
    const loopback = await Loopback.open("s1");
    await loopback.close(new Error("nobody came"));
    await expect(loopback.answer).rejects.toThrow("nobody came");
  });
  it("takes the port that it had, and another where that is taken", async () => {
    const first = await Loopback.open("s1");
    const port = Number(new URL(first.url).port);
    const second = await Loopback.open("s2", port);
    expect(new URL(second.url).port).not.toBe(String(port));
    await Promise.all([first.close(new Error("over")), second.close(new Error("over"))]);
    const third = await Loopback.open("s3", port);
    expect(new URL(third.url).port).toBe(String(port));
    await third.close(new Error("over"));
  });
});
