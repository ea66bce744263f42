import type { MediaRecord } from '@atrium/contract'
import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../../text/console.ts'
import { Failure } from '../../feedback/failure.tsx'
import { Library, LibrarySkeleton } from '../library.tsx'
import { maxListed } from '../read-pages.ts'
import { useChosen } from '../use-chosen.ts'
import { FileCard } from './file-card.tsx'
import { FileDialog } from './file-dialogs.tsx'
import type { FileAction } from './file-menu.tsx'
import { useMediaFiles } from './file-queries.ts'
import './files.css'

/** Pictures and sounds of the library. */
export function FilesTab() {
  const { feedback, mediaFiles } = texts()
  const { data, error, refetch } = useMediaFiles()
  return (
    <Stack>
      {error && (
        <Failure error={error} onRetry={refetch} title={data ? feedback.outdated : feedback.notLoaded} />
      )}
      {data ? (
        <Library
          items={data}
          wordsOf={({ name, mediaId }) => [name, mediaId]}
          text={mediaFiles}
          isCut={data.length >= maxListed}
        >
          {(found) => <FileGrid files={found} />}
        </Library>
      ) : (
        !error && <LibrarySkeleton />
      )}
    </Stack>
  )
}

/** Each card has a menu, and a thousand of them would make every key press of a search slow. */
const shownAtATime = 60

function FileGrid({ files }: { files: MediaRecord[] }) {
  const text = texts().mediaFiles
  const { chosen, isOpen, open, close } = useChosen<MediaRecord, FileAction>()
  const [count, setCount] = useState(shownAtATime)
  const hidden = files.length - count
  return (
    <>
      <section className="file-grid" aria-label={text.list}>
        {files.slice(0, count).map((file) => (
          <FileCard
            key={file.mediaId}
            file={file}
            onAction={(action, opener) => open({ item: file, action, opener })}
          />
        ))}
      </section>
      {hidden > 0 && (
        <Button
          variant="default"
          style={{ alignSelf: 'center' }}
          onClick={() => setCount(count + shownAtATime)}
        >
          {text.showMore(Math.min(hidden, shownAtATime))}
        </Button>
      )}
      {chosen && (
        <FileDialog
          key={`${chosen.item.mediaId} ${chosen.action}`}
          file={chosen.item}
          action={chosen.action}
          isOpen={isOpen}
          onClose={close}
        />
      )}
    </>
  )
}
