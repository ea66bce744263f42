import type { Participant } from '@atrium/client'
import type { ComponentView, PlayableFile } from '@atrium/contract'
import { filesNeededBy, withAddresses } from '../../api/file-addresses.ts'
import { FilesGate, type FilesStanding, type LoadedFiles } from './files-gate.tsx'
import { createFileLoads, fetchFile, withPatience } from './load-files.ts'

/** An address that expires sooner than this is replaced before it is used. */
const reserveMs = 300_000

/** The uploaded pictures and sounds of one room: where they are, and whether they have been loaded. */
export interface RoomFiles extends LoadedFiles {
  /** The component with addresses in the places of ids and names. */
  address(component: ComponentView): ComponentView
  /** Shows its children once the files of the components are there. */
  Gate: typeof FilesGate
}

export async function openRoomFiles(participant: Pick<Participant, 'mediaFiles'>) {
  const listeners = new Set<() => void>()
  let version = 0
  let files: readonly PlayableFile[] = []
  let missing = new Set<string>()
  /** Stays the same while it is valid: another address would begin a sound anew. */
  const addresses = new Map<string, { url: string; expiresAt: number }>()
  let shown = new WeakMap<ComponentView, ComponentView>()
  const changed = (): void => {
    version++
    for (const listener of listeners) listener()
  }
  const loads = createFileLoads(withPatience(fetchFile), changed)

  /** Without a list, everything is missing; another attempt asks again. */
  async function ask(): Promise<void> {
    files = await participant.mediaFiles()
    for (const { mediaId, url, expiresAt } of files) {
      const until = Date.parse(expiresAt)
      if ((addresses.get(mediaId)?.expiresAt ?? 0) - Date.now() < reserveMs)
        addresses.set(mediaId, { url, expiresAt: until })
    }
    shown = new WeakMap()
    changed()
  }

  const current = (file: PlayableFile): PlayableFile => ({ ...file, url: addressOf(file) })
  const addressOf = ({ mediaId, url }: PlayableFile): string => addresses.get(mediaId)?.url ?? url
  const isStale = (): boolean =>
    [...addresses.values()].some(({ expiresAt }) => expiresAt - Date.now() < reserveMs)

  function standingOf(components: readonly ComponentView[]): FilesStanding {
    const needed = filesNeededBy(components, files).filter(({ called }) => !missing.has(called))
    const of = needed.map(({ file }) => (file ? loads.standingOf(file.mediaId) : 'failed'))
    if (of.some((standing) => standing === 'waiting' || standing === 'loading')) {
      const known = needed.flatMap(({ file }) => file ?? [])
      const loaded = known.filter(({ mediaId }) => loads.standingOf(mediaId) === 'loaded')
      return { kind: 'loading', loaded: bytesOf(loaded), of: bytesOf(known) }
    }
    const failed = needed.filter((_one, index) => of[index] === 'failed')
    return failed.length > 0 ? { kind: 'failed', failed } : { kind: 'ready' }
  }

  function load(components: readonly ComponentView[]): void {
    loads.want(filesNeededBy(components, files).flatMap(({ file }) => (file ? current(file) : [])))
    if (!savesData()) loads.prepare(files.map(current))
  }

  const roomFiles: RoomFiles = {
    Gate: FilesGate,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    version: () => version,
    address(component) {
      const known = shown.get(component) ?? withAddresses(component, files, addressOf)
      shown.set(component, known)
      return known
    },
    standingOf,
    want(components) {
      const isIncomplete = filesNeededBy(components, files).some(({ file }) => !file)
      if (!isIncomplete && !isStale()) return load(components)
      // If nobody answers, what is known is loaded with the addresses that there are.
      void ask()
        .catch(() => undefined)
        .then(() => load(components))
    },
    goOnWithout(components) {
      const needed = filesNeededBy(components, files)
      missing = new Set([...missing, ...needed.flatMap(({ file, called }) => (file ? [] : [called]))])
      loads.skip(needed.flatMap(({ file }) => file?.mediaId ?? []))
    },
  }
  await ask().catch(() => undefined)
  return { files: roomFiles, close: loads.close }
}

const bytesOf = (files: readonly PlayableFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** Whether the browser was told to save data; not every one says. */
const savesData = (): boolean => {
  const connection: unknown = 'connection' in navigator ? navigator.connection : undefined
  return typeof connection === 'object' && connection !== null && 'saveData' in connection
    ? connection.saveData === true
    : false
}
