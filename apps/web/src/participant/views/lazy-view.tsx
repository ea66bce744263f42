import type { ComponentTypeName } from '@atrium/contract'
import { type ComponentType, lazy, Suspense } from 'react'
import { texts } from '../../text/participant.ts'
import { type SettledProps, withSettings } from './settings/with-settings.tsx'
import type { View } from './view.ts'

/**
 * For a type that few studies use: its code is loaded with the first page that shows it. Until then its usual height is
 * kept free, so that what stands below it does not move.
 */
export function lazyView<Name extends ComponentTypeName>(
  name: Name,
  heightRem: number,
  load: () => Promise<ComponentType<SettledProps<Name>>>,
): View {
  const Loaded = lazy(async () => ({ default: (await load()) as ComponentType<object> }))
  return withSettings(name, (props: SettledProps<Name>) => (
    <Suspense fallback={<Space heightRem={heightRem} />}>
      <Loaded {...props} />
    </Suspense>
  ))
}

const Space = ({ heightRem }: { heightRem: number }) => (
  <div style={{ minHeight: `${heightRem}rem` }}>
    <p className="quiet">{texts().loading}</p>
  </div>
)
