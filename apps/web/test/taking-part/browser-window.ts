/** A window of a real browser, with what stories do in it. Each person has a profile of their own. */
export interface BrowserWindow {
  open(address: string): Promise<void>
  reload(): Promise<void>
  /** Waits until an element is on the page and visible. */
  untilShown(css: string): Promise<void>
  /** Clicks with the mouse, once the element is visible, still and enabled. */
  click(css: string): Promise<void>
  clickButton(name: string): Promise<void>
  focus(css: string): Promise<void>
  key(name: Key): Promise<void>
  type(text: string): Promise<void>
  read<Argument, Result>(inPage: (argument: Argument) => Result, argument: Argument): Promise<Result>
  setOffline(isOffline: boolean): Promise<void>
  /** Errors of the page that nobody would see. */
  readonly errors: readonly string[]
  close(): Promise<void>
}

type Key = 'Home' | 'End' | 'ArrowUp' | 'PageUp' | 'Enter' | 'Space' | 'Tab'

export interface WindowOptions {
  width?: number
  height?: number
  /** The first language of the browser. */
  language?: string
}

/** A browser that people of one test share. */
export interface TestBrowser {
  openWindow(options?: WindowOptions): Promise<BrowserWindow>
  close(): Promise<void>
}

/** Shorter than the timeout of a test, so that the error says what was missing. */
export const patienceMs = 90_000

/** While offline, and refused for the moment (503), a page tries again by itself; the browser notes each attempt. */
export const isForNow = (message: string): boolean =>
  /\b503\b|ERR_INTERNET_DISCONNECTED|can.t establish a connection|NetworkError/.test(message)
