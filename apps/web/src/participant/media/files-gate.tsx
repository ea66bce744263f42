import type { ComponentView } from '@atrium/contract'
import { type ReactNode, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { NeededFile } from '../../api/file-addresses.ts'
import { texts } from '../../text/participant-files.ts'
import { PageTitle } from '../frame/page-title.tsx'
import type { Scene } from '../views/view.ts'
import './files-gate.css'

export type FilesStanding =
  | { kind: 'ready' }
  /** In bytes. */
  | { kind: 'loading'; loaded: number; of: number }
  | { kind: 'failed'; failed: NeededFile[] }

/** Whether the files of components have been loaded. */
export interface LoadedFiles {
  subscribe(listener: () => void): () => void
  /** Another number whenever anything has changed. */
  version(): number
  standingOf(components: readonly ComponentView[]): FilesStanding
  /** Loads what these need before anything else, also what has failed. */
  want(components: readonly ComponentView[]): void
  /** Goes on without those that these need and that could not be loaded. */
  goOnWithout(components: readonly ComponentView[]): void
}

interface FilesGateProps {
  files: LoadedFiles
  components: readonly ComponentView[]
  note: Scene['note']
  /** Of the state; null if it has none. */
  title: string | null
  children: ReactNode
}

/** Shows a state once its pictures and sounds are there, so that none of them appears late. */
export function FilesGate({ files, components, note, title, children }: FilesGateProps) {
  useSyncExternalStore(files.subscribe, files.version)
  const standing = files.standingOf(components)
  // Once for each state: what comes to be needed within one is loaded where it is shown.
  const begin = useEffectEvent(() => files.want(components))
  useEffect(() => begin(), [])
  useFailureNotes(standing, note)
  if (standing.kind === 'ready') return children
  return (
    <section className="card files-gate">
      <PageTitle isHidden>{title ?? texts().loading}</PageTitle>
      {standing.kind === 'loading' ? (
        <Progress {...standing} />
      ) : (
        <>
          <p role="alert">{texts().failed}</p>
          <div className="files-gate-ways">
            <button type="button" className="button" onClick={() => files.want(components)}>
              {texts().tryAgain}
            </button>
            <button type="button" className="button is-quiet" onClick={() => files.goOnWithout(components)}>
              {texts().goOn}
            </button>
          </div>
        </>
      )}
    </section>
  )
}

function Progress({ loaded, of }: Extract<FilesStanding, { kind: 'loading' }>) {
  return (
    <label>
      <span>{texts().loading}</span>
      <progress value={of > 0 ? loaded : undefined} max={of > 0 ? of : 1} />
    </label>
  )
}

/** Each file that could not be loaded is recorded, once for each attempt. */
function useFailureNotes(standing: FilesStanding, note: Scene['note']): void {
  const record = useEffectEvent((failed: readonly NeededFile[]) => {
    for (const { componentId, called, file } of failed.slice(0, maxNotes))
      note('media_failed', componentId, {
        media: called,
        mediaId: file?.mediaId ?? null,
        reason: file ? 'not_loaded' : 'not_found',
      })
  })
  const hasFailed = standing.kind === 'failed'
  useEffect(() => {
    if (standing.kind === 'failed') record(standing.failed)
  }, [hasFailed])
}

/** Whoever has lost the connection has lost all of them. */
const maxNotes = 20
