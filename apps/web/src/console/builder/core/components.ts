import { componentTypeOf, componentTypes } from '@atrium/contract/components'
import { texts } from '../../../text/console.ts'
import { freshName, isObject, listAt, type Path, textIn, valueAt, withItem } from './document.ts'

export const idsIn = (document: unknown, list: Path): string[] =>
  listAt(document, list).flatMap((component) => textIn(valueAt(component, ['id'])) ?? [])

/** Types that can be placed there, in the order of the catalogue. */
export const typesFor = (list: Path) =>
  Object.values(componentTypes).filter(
    ({ place }) => place === 'both' || (place === 'global') === (list[0] === 'globalComponents'),
  )

/** Files that the platform serves, for examples whose addresses lead nowhere. */
const video = { src: '/examples/film.mp4', durationMs: 20_000 }
const filesHere = (): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({
  video: video,
  audio: video,
  image: { src: '/examples/picture.svg', alt: texts().builder.samplePicture },
})

/** Filled with the example of its type, so that there is something to see at once. */
export function addComponent(document: unknown, list: Path, type: string): unknown {
  const id = freshName(type, idsIn(document, list), '_')
  const { settings } = componentTypeOf(type).example
  return withItem(document, list, listAt(document, list).length, {
    id,
    type,
    ...settings,
    ...filesHere()[type],
  })
}

export function duplicateItem(document: unknown, list: Path, at: number): unknown {
  const item = listAt(document, list)[at]
  if (!isObject(item) || textIn(item.id) === undefined) return withItem(document, list, at + 1, item)
  return withItem(document, list, at + 1, {
    ...item,
    id: freshName(`${item.id}_copy`, idsIn(document, list), '_'),
  })
}
