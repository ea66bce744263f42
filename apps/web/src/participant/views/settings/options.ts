import type { ReceivedSettings } from '@atrium/contract/components'
import { useMemo } from 'react'

export type OptionValue = string | number

/** Something to choose, whichever of its short forms the definition used. */
export interface Option {
  value: OptionValue
  label: string
  image: string | undefined
  /** What the picture shows; empty when the label beside it says so already. */
  alt: string
}

type WrittenOption = ReceivedSettings<'ranking'>['items'][number]

export const optionsOf = (written: readonly WrittenOption[]): Option[] => written.map(optionOf)

export const useOptions = (written: readonly WrittenOption[]): Option[] =>
  useMemo(() => optionsOf(written), [written])

function optionOf(written: WrittenOption): Option {
  if (typeof written !== 'object')
    return { value: written, label: String(written), image: undefined, alt: '' }
  const { value, label = String(value), image, alt = '' } = written
  return { value, label, image, alt }
}
