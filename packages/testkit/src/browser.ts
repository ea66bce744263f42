import type { Browser } from 'playwright-core'
import { findProgram } from './program.ts'

/** As root, and without calls to the browser's own services. */
const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The Chromium of this machine. Loaded when asked for: most tests need no browser. */
export async function openBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  return await chromium.launch({ executablePath: findProgram('chromium'), args: quietly })
}
