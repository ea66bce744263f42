import type { ValidationIssue } from '@atrium/contract'
import { type Appearance, accentIn } from '@atrium/contract'

/** What keeps an appearance from being saved. */
export function checkAppearance({ appearance }: { appearance?: Appearance }): ValidationIssue[] {
  const { logo } = appearance ?? {}
  return logo === undefined || isPictureAddress(logo)
    ? []
    : [
        {
          path: '/appearance/logo',
          message: 'must be an https:// address, or a path on this site that begins with a single /',
        },
      ]
}

function isPictureAddress(address: string): boolean {
  // A browser reads //host and /\host as another site, without the scheme.
  if (/^\/(?![/\\])/.test(address)) return true
  return URL.canParse(address) && new URL(address).protocol === 'https:'
}

/** What participants will see differently from what was written. */
export function appearanceWarnings({ appearance }: { appearance?: Appearance }): ValidationIssue[] {
  const { accent } = appearance ?? {}
  if (accent === undefined) return []
  const shown = accentIn('light', accent).accent
  return shown === accent.toLowerCase()
    ? []
    : [
        {
          path: '/appearance/accent',
          message: `${accent} has too little contrast with the page to be read; participants will see ${shown} instead`,
        },
      ]
}
