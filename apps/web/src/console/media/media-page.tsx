import type { VideoRecord } from '@atrium/contract'
import { Button, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useCallback, useDeferredValue, useRef, useState } from 'react'
import { texts } from '../../text/console.ts'
import { Failure } from '../feedback/failure.tsx'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { notifyFailed } from '../feedback/notify.ts'
import { PageTitle } from '../feedback/page-title.tsx'
import { isFileOf, objectionTo, resumable, unfinishedUploadOf } from './uploads/chosen-files.ts'
import { DropArea } from './uploads/drop-area.tsx'
import { UploadList } from './uploads/upload-list.tsx'
import { useQueuedUploads, useUploadQueue } from './uploads/uploads-context.tsx'
import { VideoCard } from './video-card.tsx'
import { VideoDialog } from './video-dialogs.tsx'
import type { VideoAction } from './video-menu.tsx'
import { maxVideos, useVideos } from './video-queries.ts'
import { useVideoUpdates } from './video-updates.ts'
import './media.css'

/** Without a push, progress has to be asked for; with one, now and then, in case a message was lost. */
const refetchMs = { polling: 3_000, live: 20_000 }

/** The library of videos, and the way to add to it. */
export default function MediaPage() {
  const { media: text, feedback } = texts()
  const isLive = useVideoUpdates()
  const { data, error, refetch } = useVideos({ everyMs: refetchMs[isLive ? 'live' : 'polling'] })
  const addFiles = useAddFiles(data)
  return (
    <Stack>
      <PageTitle>{text.title}</PageTitle>
      <Text c="dimmed">{text.intro}</Text>
      <DropArea onFiles={addFiles} />
      <UploadList />
      {error && (
        <Failure error={error} onRetry={refetch} title={data ? feedback.outdated : feedback.notLoaded} />
      )}
      {data ? <Library videos={data} /> : !error && <LibrarySkeleton />}
    </Stack>
  )
}

/** Puts files into the queue, and says which ones are refused. A file that was interrupted goes on where it stopped. */
function useAddFiles(videos: VideoRecord[] | undefined): (files: File[]) => void {
  const queue = useUploadQueue()
  const known = useRef(videos)
  known.current = videos
  return useCallback(
    (files) => {
      const objections = files.flatMap((file) => objectionTo(file) ?? [])
      if (objections.length > 0)
        notifyFailed(
          texts().mediaUploads.objections.title(objections.length),
          new Error(objections.join(' ')),
        )
      for (const file of files)
        if (objectionTo(file) === undefined) queue.add(file, unfinishedUploadOf(file, known.current ?? []))
    },
    [queue],
  )
}

function Library({ videos }: { videos: VideoRecord[] }) {
  const text = texts().media
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search).trim().toLowerCase()
  const inQueue = new Set(useQueuedUploads().map(({ unfinished }) => unfinished?.videoId))
  // Those on their way are listed above.
  const listed = videos.filter(({ videoId, uploadId }) => uploadId === null || !inQueue.has(videoId))
  const found = listed.filter(({ filename, videoId }) =>
    [filename, videoId].some((value) => value.toLowerCase().includes(wanted)),
  )
  if (listed.length === 0) return <NothingHere title={text.empty.title}>{text.empty.message}</NothingHere>
  return (
    <>
      <TextInput
        label={text.search.label}
        placeholder={text.search.placeholder}
        type="search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        maw={420}
      />
      <Text size="sm" c="dimmed" role="status">
        {wanted === '' ? text.count(listed.length) : text.countOf(found.length, listed.length)}
        {videos.length >= maxVideos && ` ${text.onlyNewest(maxVideos)}`}
      </Text>
      {found.length > 0 ? (
        <VideoList videos={found} />
      ) : (
        <NothingHere
          title={text.search.nothing}
          action={
            <Button variant="default" onClick={() => setSearch('')}>
              {text.search.clear}
            </Button>
          }
        >
          {text.search.nothingFor(search.trim())}
        </NothingHere>
      )}
    </>
  )
}

interface Chosen {
  video: VideoRecord
  action: VideoAction
  opener: HTMLElement | null
}

function VideoList({ videos }: { videos: VideoRecord[] }) {
  const queue = useUploadQueue()
  const [chosen, setChosen] = useState<Chosen>()
  const [isOpen, setIsOpen] = useState(false)
  const open = (next: Chosen) => {
    setChosen(next)
    setIsOpen(true)
  }
  const close = () => {
    setIsOpen(false)
    // The dialog was not there before it opened, so it does not know where the focus was.
    chosen?.opener?.focus({ preventScroll: true })
  }
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
            onAction={(action, opener) => open({ video, action, opener })}
            onContinue={(file) => continueUpload(video, file)}
          />
        ))}
      </Stack>
      {/* Stays while it closes, so that its content does not vanish before it does. */}
      {chosen && (
        <VideoDialog
          key={`${chosen.video.videoId} ${chosen.action}`}
          video={chosen.video}
          action={chosen.action}
          isOpen={isOpen}
          onClose={close}
        />
      )}
    </>
  )
}

function LibrarySkeleton() {
  return (
    <Stack role="status" aria-label={texts().feedback.loading} gap="sm">
      <Skeleton height={60} maw={420} />
      {[1, 2, 3].map((row) => (
        <Skeleton key={row} height={128} />
      ))}
    </Stack>
  )
}
