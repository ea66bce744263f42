import { expect, test } from 'vitest'
import { type BrowserTraits, familiesOf } from './families.ts'

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)'
const ipad = 'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X)'
const android = 'Mozilla/5.0 (Linux; Android 10; K)'
const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0'

test.each([
  ['chrome windows computer', `${windows} ${blink} Safari/537.36`],
  ['chrome macos computer', `${mac} ${blink} Safari/537.36`],
  ['chrome linux computer', `Mozilla/5.0 (X11; Linux x86_64) ${blink} Safari/537.36`],
  ['chrome chromeos computer', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${blink} Safari/537.36`],
  ['chrome android phone', `${android} ${blink} Mobile Safari/537.36`],
  ['chrome android tablet', `${android} ${blink} Safari/537.36`],
  ['chrome ios phone', `${iphone} ${webkit} CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1`],
  ['chrome ios tablet', `${ipad} ${webkit} CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1`],
  [
    'chrome linux computer',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0.0.0 Safari/537.36',
  ],
  ['edge windows computer', `${windows} ${blink} Safari/537.36 Edg/141.0.0.0`],
  ['edge android phone', `${android} ${blink} Mobile Safari/537.36 EdgA/141.0.0.0`],
  ['edge ios phone', `${iphone} ${webkit} Version/18.0 EdgiOS/141.0.3537.60 Mobile/15E148 Safari/604.1`],
  [
    'edge windows computer',
    `${windows} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763`,
  ],
  [
    'firefox windows computer',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
  ],
  [
    'firefox macos computer',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0',
  ],
  [
    'firefox linux computer',
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  ],
  ['firefox android phone', 'Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0'],
  ['firefox android tablet', 'Mozilla/5.0 (Android 15; Tablet; rv:143.0) Gecko/143.0 Firefox/143.0'],
  ['firefox ios phone', `${iphone} ${webkit} FxiOS/143.0 Mobile/15E148 Safari/604.1`],
  ['opera windows computer', `${windows} ${blink} Safari/537.36 OPR/122.0.0.0`],
  ['opera android phone', `${android} ${blink} Mobile Safari/537.36 OPR/92.0.0.0`],
  ['opera ios phone', `${iphone} ${webkit} Version/18.6 Mobile/15E148 Safari/604.1 OPT/5.6.0`],
  ['safari macos computer', `${mac} ${webkit} Version/18.6 Safari/605.1.15`],
  ['safari ios phone', `${iphone} ${webkit} Version/18.6 Mobile/15E148 Safari/604.1`],
  [
    'samsung android phone',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
  ],
  [
    'samsung android tablet',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Safari/537.36',
  ],
  ['other ios phone', `${iphone} ${webkit} Mobile/15E148`],
  ['other other computer', 'Something else'],
])('[R93] the families of a user agent: %s', (families, userAgent) => {
  expect(familiesIn({ userAgent, maxTouchPoints: /Mobile|Android/.test(userAgent) ? 5 : 0 })).toBe(families)
})

const familiesIn = (traits: BrowserTraits): string => {
  const { browser, system, deviceClass } = familiesOf(traits)
  return `${browser} ${system} ${deviceClass}`
}

test('[R93] an iPad that says it is a Mac is a tablet', () => {
  const userAgent = `${mac} ${webkit} Version/18.6 Safari/605.1.15`
  expect(familiesIn({ userAgent, maxTouchPoints: 5 })).toBe('safari ios tablet')
  const chrome = `${mac} ${webkit} CriOS/141.0.7390.41 Safari/604.1`
  expect(familiesIn({ userAgent: chrome, maxTouchPoints: 5 })).toBe('chrome ios tablet')
})

test.each([
  ['chrome windows computer', ['Not?A_Brand', 'Chromium', 'Google Chrome'], 'Windows', false],
  ['chrome chromeos computer', ['Chromium', 'Google Chrome'], 'Chrome OS', false],
  ['chrome chromeos computer', ['Chromium'], 'Chromium OS', false],
  ['edge macos computer', ['Chromium', 'Microsoft Edge', 'Not.A/Brand'], 'macOS', false],
  ['opera linux computer', ['Opera', 'Not)A;Brand', 'Chromium'], 'Linux', false],
  ['samsung android phone', ['Chromium', 'Samsung Internet', 'Not-A.Brand'], 'Android', true],
  ['chrome android tablet', ['Chromium', 'Google Chrome'], 'Android', false],
  ['chrome windows computer', [], 'Windows', false],
])('[R93] what a browser says without a user agent comes first: %s', (families, names, platform, mobile) => {
  const brands = names.map((brand) => ({ brand }))
  const userAgent = `${windows} ${blink} Safari/537.36`
  expect(familiesIn({ userAgent, maxTouchPoints: 0, userAgentData: { brands, mobile, platform } })).toBe(
    families,
  )
})
