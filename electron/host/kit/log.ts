/** The app's log: JSON lines in `<data>/logs`, masked, rotated (10 MB × 5). */
export interface Logger {
  debug(message: string, data?: object): void;
  info(message: string, data?: object): void;
  warn(message: string, data?: object): void;
  error(message: string, data?: object): void;
  child(name: string): Logger;
}
