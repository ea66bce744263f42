import { type ComponentTypeName, componentTypeOf, type ReceivedSettings } from '@atrium/contract/components'
import { type ComponentType, useMemo } from 'react'
import { UnknownView } from '../stand-ins.tsx'
import type { View, ViewProps } from '../view.ts'

export type SettledProps<Name extends ComponentTypeName> = ViewProps & { settings: ReceivedSettings<Name> }

/** How to correct a draft that the room would refuse; undefined when there is nothing special to say. */
export type HowToFix<Name extends ComponentTypeName> = (
  settings: ReceivedSettings<Name>,
  draft: unknown,
) => string | undefined

/**
 * Wraps a view so that it only ever sees settings it can show; otherwise the page says that it cannot. `howToFix` tells
 * participants how to correct an answer that the room would refuse.
 */
export function withSettings<Name extends ComponentTypeName>(
  name: Name,
  Body: ComponentType<SettledProps<Name>>,
  howToFix?: HowToFix<Name>,
): View {
  // `componentTypeOf` knows the type's schema only at run time.
  const read = (component: ViewProps['component']) =>
    componentTypeOf(name).read(component) as ReceivedSettings<Name> | undefined
  function Settled(props: ViewProps) {
    const { component } = props
    const settings = useMemo(() => read(component), [component])
    return settings === undefined ? <UnknownView {...props} /> : <Body {...props} settings={settings} />
  }
  return Object.assign(Settled, {
    howToFix(component: ViewProps['component'], draft: unknown): string | undefined {
      const settings = howToFix && read(component)
      return settings && howToFix(settings, draft)
    },
  })
}
