import { type Appearance, accentIn } from '@atrium/contract'
import { createContext } from 'react'

/** What the frame of every page shows of a study. */
export interface StudyBranding {
  name: string
  appearance: Appearance | undefined
}

/** Null while no study is known: on the list of studies, and before the first answer of the platform. */
export const StudyBrandingContext = createContext<StudyBranding | null>(null)

const painted = { accent: '--accent', onAccent: '--on-accent', wash: '--accent-wash' } as const

/** The study’s own accent in place of ours, in both schemes. Colours only, which the contract has computed: no style of theirs. */
export function paintAccent(chosen: string | undefined): void {
  const { style } = document.documentElement
  const [light, dark] = chosen === undefined ? [] : [accentIn('light', chosen), accentIn('dark', chosen)]
  for (const [part, property] of Object.entries(painted) as [keyof typeof painted, string][])
    if (light && dark) style.setProperty(property, `light-dark(${light[part]}, ${dark[part]})`)
    else style.removeProperty(property)
}
