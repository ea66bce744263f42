import type { Browser as Chromium } from 'playwright-core'
import type { Browser as Firefox } from 'puppeteer-core'
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
export async function openBrowser(): Promise<Chromium> {
  const { chromium } = await import('playwright-core')
  const program = isInstalled(withoutWindow) ? withoutWindow : 'chromium'
  return await chromium.launch({ executablePath: findProgram(program), args: flags })
}

/** Beyond Puppeteer's own preferences: no services of the vendor, and pages load as on a machine with a connection. */
const preferences = {
  'app.normandy.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.getAddons.cache.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.manage-offline-status': false,
  // One process for pages instead of eight: their stories need no protection from each other.
  'dom.ipc.processCount': 1,
  'fission.autostart': false,
}

/**
 * Opens this machine's Firefox, driven over WebDriver BiDi. By Puppeteer, because Playwright only drives a Firefox of its
 * own, and people use the one of their system. Imported lazily, because most tests need no browser.
 */
export async function openFirefox(): Promise<Firefox> {
  const { launch } = await import('puppeteer-core')
  return await launch({
    browser: 'firefox',
    executablePath: findProgram(isInstalled('firefox') ? 'firefox' : 'firefox-esr'),
    headless: true,
    extraPrefsFirefox: preferences,
    // The viewport of a page is set where the page is opened.
    defaultViewport: null,
  })
}
