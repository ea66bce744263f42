import type { Browser } from 'playwright-core'
import { findProgram } from './program.ts'

/** Runs as root and never calls the browser vendor's services. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Opens this machine's Chromium. Imported lazily, because most tests need no browser. */
export async function openBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  return await chromium.launch({ executablePath: findProgram('chromium'), args: flags })
}
