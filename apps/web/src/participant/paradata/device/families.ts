import type { DeviceReport } from '@atrium/contract'

/** What a browser says of itself. */
export interface BrowserTraits {
  userAgent: string
  maxTouchPoints: number
  /** Of browsers based on Chromium, on pages that are encrypted. */
  userAgentData?: {
    brands: readonly { brand: string }[]
    mobile: boolean
    platform: string
  }
}

type Families = Required<Pick<DeviceReport, 'browser' | 'system' | 'deviceClass'>>
type Table<Family> = readonly (readonly [sign: RegExp, family: Family])[]

/** Browsers name those that they resemble as well, so the first sign counts. */
const browsers: Table<Families['browser']> = [
  [/\bEdg(e|A|iOS)?\//, 'edge'],
  [/\bOP(R|T|X|iOS)\/|\bOpera\b/, 'opera'],
  [/\bSamsungBrowser\//, 'samsung'],
  [/\b(Firefox|FxiOS|Focus|Klar)\//, 'firefox'],
  [/\b(Headless)?(Chrome|Chromium|CriOS)\//, 'chrome'],
  [/\bVersion\/.*\bSafari\//, 'safari'],
]
const brands: Table<Families['browser']> = [
  [/Edge/, 'edge'],
  [/Opera/, 'opera'],
  [/Samsung/, 'samsung'],
  [/Chrom/, 'chrome'],
]
const systems: Table<Families['system']> = [
  [/\bWindows\b/, 'windows'],
  [/\bAndroid\b/, 'android'],
  [/\b(iPhone|iPad|iPod|iOS)\b/, 'ios'],
  [/\bCrOS\b|\bChrom(e|ium) OS\b/, 'chromeos'],
  [/\bMacintosh\b|\bmacOS\b/, 'macos'],
  [/\bLinux\b|\bX11\b/, 'linux'],
]

const familyIn = <Family>(table: Table<Family>, text: string): Family | undefined =>
  table.find(([sign]) => sign.test(text))?.[1]

/** Families only: a version would help to recognise somebody. */
export function familiesOf({ userAgent, maxTouchPoints, userAgentData: data }: BrowserTraits): Families {
  const named = data?.brands.map(({ brand }) => brand).join() ?? ''
  const browser = familyIn(brands, named) ?? familyIn(browsers, userAgent) ?? 'other'
  const told = familyIn(systems, data?.platform ?? '') ?? familyIn(systems, userAgent) ?? 'other'
  // iPads say that they are Macs, none of which has a touch screen.
  const isDisguised = told === 'macos' && maxTouchPoints > 1
  const system = isDisguised ? 'ios' : told
  return { browser, system, deviceClass: classOf(system, userAgent, data?.mobile) }
}

function classOf(system: Families['system'], userAgent: string, isMobile?: boolean): Families['deviceClass'] {
  if (system === 'ios') return /\biP(hone|od)\b/.test(userAgent) ? 'phone' : 'tablet'
  const saysPhone = isMobile ?? /\bMobile\b/.test(userAgent)
  if (system === 'android') return saysPhone ? 'phone' : 'tablet'
  return saysPhone ? 'phone' : 'computer'
}
