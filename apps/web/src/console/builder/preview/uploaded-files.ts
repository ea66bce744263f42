import type { ComponentView, MediaRecord, PlayableFile, RoomSnapshot } from '@atrium/contract'
import { useCallback, useMemo } from 'react'
import { nameFiles, withAddresses } from '../../../api/file-addresses.ts'
import { useMediaFiles } from '../../media/files/file-queries.ts'

/** Gives the components of a previewed page addresses in the places of ids and names of uploaded files. */
export function useUploadedIn(document: unknown): (view: RoomSnapshot) => RoomSnapshot {
  const isEnabled = useMemo(() => nameFiles([document]), [document])
  const { data } = useMediaFiles({ isEnabled })
  const files = useMemo(() => data?.map(playableOf), [data])
  return useCallback((view) => (isEnabled ? addressed(view, files ?? []) : view), [isEnabled, files])
}

/** Only one’s own files are found by name. */
const playableOf = ({ mediaId, name, kind, bytes, url, isOwn }: MediaRecord): PlayableFile => ({
  ...{ mediaId, kind, bytes, url, expiresAt: '' },
  names: isOwn ? [name] : [],
})

function addressed(view: RoomSnapshot, files: readonly PlayableFile[]): RoomSnapshot {
  const address = (component: ComponentView) => withAddresses(component, files, ({ url }) => url)
  const { state, globalComponents } = view
  return {
    ...view,
    state: state && { ...state, components: state.components.map(address) },
    globalComponents: globalComponents.map(address),
  }
}
