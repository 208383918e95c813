import { enableAutoUnmount, mount, type VueWrapper } from "@vue/test-utils";
import { createPinia } from "pinia";
import { afterEach } from "vitest";
import type { Component } from "vue";
import type { AppView, WorkspaceView } from "../shared/workspace.ts";
import { useWorkspace } from "./app/store.ts";
import { workspaceView } from "./fixtures.testing.ts";
import { createMessages } from "./i18n.ts";
import { rpcKey } from "./rpc.ts";
import { memoryRpc, type MemoryRpc } from "./rpc.testing.ts";

enableAutoUnmount(afterEach);

interface Options {
  readonly rpc?: MemoryRpc;
  readonly props?: Record<string, unknown>;
  readonly view?: Partial<WorkspaceView>;
  readonly shell?: AppView["shell"];
}

/** A component on the page with messages, stores and a host in memory that has told of its workspace. */
export function mountApp(
  component: Component,
  { rpc = memoryRpc(), props = {}, view = {}, shell = "browser" }: Options = {},
): { rpc: MemoryRpc; wrapper: VueWrapper } {
  const pinia = createPinia();
  const global = { plugins: [pinia, createMessages("en")], provide: { [rpcKey as symbol]: rpc } };
  const starter = mount({ setup: () => useWorkspace(pinia).start() && (() => null) }, { global });
  rpc.snapshot("workspace", workspaceView(view));
  rpc.snapshot("app", { version: "0", shell, recent: ["/home/me/notes"] });
  starter.unmount();
  return { rpc, wrapper: mount(component, { global, props, attachTo: document.body }) };
}
