import type { VideoRecord } from '@atrium/contract'
import { Stack, Tabs, Text } from '@mantine/core'
import { useCallback, useRef } from 'react'
import { useLocation } from 'wouter'
import { texts } from '../../text/console.ts'
import { Failure } from '../feedback/failure.tsx'
import { notifyFailed } from '../feedback/notify.ts'
import { PageTitle } from '../feedback/page-title.tsx'
import { FilesTab } from './files/files-tab.tsx'
import { LibrarySkeleton } from './library.tsx'
import { isForVideos, objectionTo, unfinishedUploadOf } from './uploads/chosen-files.ts'
import { DropArea } from './uploads/drop-area.tsx'
import { mediaBatchesOf } from './uploads/media-batch.ts'
import { UploadList } from './uploads/upload-list.tsx'
import { useUploadQueue } from './uploads/uploads-context.tsx'
import { VideoLibrary } from './video-list.tsx'
import { useVideos } from './video-queries.ts'
import { useVideoUpdates } from './video-updates.ts'
import './media.css'

/** Without a push, progress has to be asked for; with one, now and then, in case a message was lost. */
const refetchMs = { polling: 3_000, live: 20_000 }

const tabs = ['videos', 'files'] as const
type MediaTab = (typeof tabs)[number]

const addressOfTab = (tab: string | null): string => (tab === 'files' ? '/media/files' : '/media')

/** The library of videos, pictures and sounds, and the way to add to it. */
export default function MediaPage({ tab: asked }: { tab: string | undefined }) {
  const { media: text, feedback } = texts()
  const [, navigate] = useLocation()
  const isLive = useVideoUpdates()
  const { data, error, refetch } = useVideos({ everyMs: refetchMs[isLive ? 'live' : 'polling'] })
  const tab: MediaTab = asked === 'files' ? 'files' : 'videos'
  const addFiles = useAddFiles(data, (shown) => navigate(addressOfTab(shown)))
  return (
    <Stack>
      <PageTitle>{text.title}</PageTitle>
      <Text c="dimmed">{text.intro}</Text>
      <DropArea onFiles={addFiles} />
      <UploadList />
      <Tabs value={tab} onChange={(shown) => navigate(addressOfTab(shown))} keepMounted={false}>
        <Tabs.List>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {text.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="videos" pt="md">
          <Stack>
            {error && (
              <Failure
                error={error}
                onRetry={refetch}
                title={data ? feedback.outdated : feedback.notLoaded}
              />
            )}
            {data ? <VideoLibrary videos={data} /> : !error && <LibrarySkeleton />}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="files" pt="md">
          <FilesTab />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

/**
 * Puts files into the queue, and says which ones are refused. A video that was interrupted goes on where it stopped; pictures and
 * sounds go together, and their list is shown.
 */
function useAddFiles(
  videos: VideoRecord[] | undefined,
  onShow: (tab: MediaTab) => void,
): (files: File[]) => void {
  const queue = useUploadQueue()
  const latest = useRef({ videos, onShow })
  latest.current = { videos, onShow }
  return useCallback(
    (files) => {
      const objections = files.flatMap((file) => objectionTo(file) ?? [])
      if (objections.length > 0)
        notifyFailed(
          texts().mediaUploads.objections.title(objections.length),
          new Error(texts().mediaUploads.objections.first(objections)),
        )
      const taken = files.filter((file) => objectionTo(file) === undefined)
      const filmed = taken.filter(isForVideos)
      const batches = mediaBatchesOf(taken.filter((file) => !isForVideos(file)))
      for (const file of filmed) queue.add(file, unfinishedUploadOf(file, latest.current.videos ?? []))
      for (const batch of batches) queue.add(batch)
      if (taken.length > 0) latest.current.onShow(filmed.length > 0 ? 'videos' : 'files')
    },
    [queue],
  )
}
