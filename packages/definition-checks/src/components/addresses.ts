import {
  componentTypeOf,
  type Finding,
  imageFindings,
  type Settings,
  settingsOf,
  valuesAt,
} from '@atrium/contract/components'

/** Where other settings come from values, so that the type cannot look at all of them together. */
export const addressFindingsIn = (component: Settings): Finding[] =>
  settingsOf(componentTypeOf(String(component.type)).settings)
    .filter(({ schema }) => schema['x-live'] === 'address')
    .flatMap(({ place }) => valuesAt(component, place))
    .flatMap(({ value, path }) => (typeof value === 'string' ? imageFindings(path, value) : []))
