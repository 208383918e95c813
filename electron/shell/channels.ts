/** The one channel each way between a window and the host; preload and main process agree here. */
export const channels = { toHost: "nacre:to-host", toWindow: "nacre:to-window" } as const;
