import type { ComponentTypeName } from '@atrium/contract/components'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { texts } from '../../text/participant.ts'
import { type HowToFix, type SettledProps, withSettings } from './settings/with-settings.tsx'
import { NotLoaded } from './stand-ins.tsx'
import type { View } from './view.ts'

/** A view of a rarer type, with what it says about a draft: its words come with it. */
export type LazyBody<Name extends ComponentTypeName> = ComponentType<SettledProps<Name>> & {
  howToFix?: HowToFix<Name>
}

/**
 * For a type that many studies do not use: its code is loaded before the room shows it. Where that failed, it is loaded
 * when it is shown, and its usual height is kept free, so that what stands below it does not move.
 */
export function lazyView<Name extends ComponentTypeName>(
  name: Name,
  heightRem: number,
  load: () => Promise<LazyBody<Name>>,
  howToFix?: HowToFix<Name>,
): View {
  let loaded: ComponentType<object> | undefined
  let howToFixLoaded: HowToFix<Name> | undefined
  async function loadOnce(): Promise<ComponentType<object>> {
    if (loaded) return loaded
    const body = await load()
    howToFixLoaded = body.howToFix
    loaded = body as ComponentType<object>
    return loaded
  }
  const Awaited = lazy(async () => ({
    default: await loadOnce().catch(() => NotLoaded as ComponentType<object>),
  }))
  function Later(props: SettledProps<Name>) {
    // One or the other for as long as it is shown: changing it would begin it anew.
    const [Body] = useState(() => loaded ?? Awaited)
    return (
      <Suspense fallback={<Space heightRem={heightRem} />}>
        <Body {...props} />
      </Suspense>
    )
  }
  const fix: HowToFix<Name> = (settings, draft) => (howToFixLoaded ?? howToFix)?.(settings, draft)
  return Object.assign(withSettings(name, Later, fix), { load: () => (loaded ? undefined : loadOnce()) })
}

const Space = ({ heightRem }: { heightRem: number }) => (
  <div style={{ minHeight: `${heightRem}rem` }}>
    <p className="quiet">{texts().loading}</p>
  </div>
)
