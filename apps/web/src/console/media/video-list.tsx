import type { VideoRecord } from '@atrium/contract'
import { Stack } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { notifyFailed } from '../feedback/notify.ts'
import { Library } from './library.tsx'
import { maxListed } from './read-pages.ts'
import { isFileOf, resumable } from './uploads/chosen-files.ts'
import { useQueuedUploads, useUploadQueue } from './uploads/uploads-context.tsx'
import { useChosen } from './use-chosen.ts'
import { VideoCard } from './video-card.tsx'
import { VideoDialog } from './video-dialogs.tsx'
import type { VideoAction } from './video-menu.tsx'

/** The videos of the library. */
export function VideoLibrary({ videos }: { videos: VideoRecord[] }) {
  const inQueue = new Set(useQueuedUploads().map(({ unfinished }) => unfinished?.videoId))
  // Those on their way are listed above.
  const listed = videos.filter(({ videoId, uploadId }) => uploadId === null || !inQueue.has(videoId))
  return (
    <Library
      items={listed}
      wordsOf={({ filename, videoId }) => [filename, videoId]}
      text={texts().media}
      isCut={videos.length >= maxListed}
    >
      {(found) => <VideoList videos={found} />}
    </Library>
  )
}

function VideoList({ videos }: { videos: VideoRecord[] }) {
  const queue = useUploadQueue()
  const { chosen, isOpen, open, close } = useChosen<VideoRecord, VideoAction>()
  const continueUpload = (video: VideoRecord, file: File) => {
    const { objections } = texts().mediaUploads
    if (!isFileOf(file, video))
      return notifyFailed(
        objections.title(1),
        new Error(objections.otherFile(file.name, video.filename, video.size)),
      )
    queue.add(file, resumable(video))
  }
  return (
    <>
      <Stack gap="sm" component="section" aria-label={texts().media.list}>
        {videos.map((video) => (
          <VideoCard
            key={video.videoId}
            video={video}
            onAction={(action, opener) => open({ item: video, action, opener })}
            onContinue={(file) => continueUpload(video, file)}
          />
        ))}
      </Stack>
      {chosen && (
        <VideoDialog
          key={`${chosen.item.videoId} ${chosen.action}`}
          video={chosen.item}
          action={chosen.action}
          isOpen={isOpen}
          onClose={close}
        />
      )}
    </>
  )
}
