import type { Browser } from 'playwright-core'
import { findProgram, isInstalled } from './program.ts'

/** Runs as root and never calls the browser vendor's services. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Chromium without what only a window needs: the same pages take about a fifth less of the processor. */
const withoutWindow = 'chromium-headless-shell'

/** Opens this machine's Chromium. Imported lazily, because most tests need no browser. */
export async function openBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  const program = isInstalled(withoutWindow) ? withoutWindow : 'chromium'
  return await chromium.launch({ executablePath: findProgram(program), args: flags })
}
