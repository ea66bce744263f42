import type { MediaKind } from '../media/media-files.ts'
import { type SettingPlace, type SettingSchema, settingsOf } from './setting-places.ts'

/** A setting that may name an uploaded picture or sound: its id, or `media:<name>` where an address is expected. */
export interface MediaField {
  place: SettingPlace
  kind: MediaKind
  by: 'id' | 'address'
}

/** Found in the schema once for each type, because definitions have thousands of components. */
export const mediaFieldsIn = (settings: SettingSchema): MediaField[] =>
  settingsOf(settings).flatMap(({ schema: { 'x-media-id': byId, 'x-media': byAddress }, place }) => [
    ...(byId ? [{ place, kind: byId, by: 'id' as const }] : []),
    ...(byAddress ? [{ place, kind: byAddress, by: 'address' as const }] : []),
  ])
