import type { MediaKind } from '../media/media-files.ts'
import type { Annotations } from './annotations.ts'

/** A setting that may name an uploaded picture or sound: its id, or `media:<name>` where an address is expected. */
export interface MediaField {
  /** From the component on; `*` stands for each item of a list. */
  path: readonly string[]
  kind: MediaKind
  by: 'id' | 'address'
}

/** The part of JSON Schema that settings use. */
interface Node extends Partial<Annotations> {
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
}

/** Found in the schema once for each type, because definitions have thousands of components. */
export function mediaFieldsIn(schema: Node, path: readonly string[] = []): MediaField[] {
  const byId = schema['x-media-id']
  const byAddress = schema['x-media']
  return [
    ...(byId ? [{ path, kind: byId, by: 'id' as const }] : []),
    ...(byAddress ? [{ path, kind: byAddress, by: 'address' as const }] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, child]) =>
      mediaFieldsIn(child, [...path, name]),
    ),
    ...(schema.items ? mediaFieldsIn(schema.items, [...path, '*']) : []),
    ...(schema.anyOf ?? []).flatMap((form) => mediaFieldsIn(form, path)),
  ]
}
