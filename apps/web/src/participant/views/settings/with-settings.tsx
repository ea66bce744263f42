import { type ComponentType, useMemo } from 'react'
import { UnknownView } from '../unknown-view.tsx'
import type { View, ViewProps } from '../view.ts'
import { type KnownType, knownSettings, type SettingsOf } from './known-settings.ts'
import { misfit, type Reader } from './reader.ts'

export type SettledProps<Type extends KnownType> = ViewProps & { settings: SettingsOf<Type> }

/** A view that only ever sees settings it can show; for others the page says so. */
export function withSettings<Type extends KnownType>(
  type: Type,
  Body: ComponentType<SettledProps<Type>>,
): View {
  const read: Reader<unknown> = knownSettings[type]
  return function Settled(props: ViewProps) {
    const { component } = props
    const settings = useMemo(() => read(component), [component])
    if (settings === misfit) return <UnknownView {...props} />
    // `read` is this type's reader; TypeScript does not follow an index by a type parameter.
    return <Body {...props} settings={settings as SettingsOf<Type>} />
  }
}
