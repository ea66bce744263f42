import type { ComponentView, PlayableFile } from '@atrium/contract'
import { componentMediaUses, type MediaUse } from '@atrium/contract/components'

/** A picture or sound that a component needs. */
export interface NeededFile {
  componentId: string
  /** As the definition calls it: an id, or a name. */
  called: string
  file: PlayableFile | undefined
}

function findFile(files: readonly PlayableFile[], { named }: MediaUse): PlayableFile | undefined {
  return 'mediaId' in named
    ? files.find(({ mediaId }) => mediaId === named.mediaId)
    : files.find(({ names }) => names.includes(named.name))
}

export const filesNeededBy = (
  components: readonly ComponentView[],
  files: readonly PlayableFile[],
): NeededFile[] =>
  components.flatMap((component) =>
    componentMediaUses(component).map((use) => ({
      componentId: component.id,
      called: 'mediaId' in use.named ? use.named.mediaId : use.named.name,
      file: findFile(files, use),
    })),
  )

/**
 * The component as views show it: with an address wherever the definition names a file. A file that is not there is left out,
 * so that its view says so.
 */
export function withAddresses(
  component: ComponentView,
  files: readonly PlayableFile[],
  addressOf: (file: PlayableFile) => string,
): ComponentView {
  const uses = componentMediaUses(component)
  if (uses.length === 0) return component
  const shown = structuredClone(component)
  for (const use of uses) {
    const file = findFile(files, use)
    const steps = use.path.split('/').slice(1)
    const last = steps.pop() ?? ''
    const place = steps.reduce<unknown>((value, step) => (isRecord(value) ? value[step] : undefined), shown)
    if (!isRecord(place)) continue
    delete place[last]
    if (file) place['mediaId' in use.named ? 'src' : last] = addressOf(file)
  }
  return shown
}

/** Lists, too: their items are found by number. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Whether these name uploaded files, or a table that may. */
export const nameFiles = (parts: readonly unknown[]): boolean =>
  /"(?:media:|med_|tableId":)/.test(JSON.stringify(parts))
