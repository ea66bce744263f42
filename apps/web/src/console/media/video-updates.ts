import { type VideoRecord, videoRoutes } from '@atrium/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { io } from 'socket.io-client'
import { Check } from 'typebox/schema'
import type { Api } from '../session/authorised-api.ts'
import { useApi } from '../session/session.ts'
import { withVideo } from './video-phase.ts'
import { videosKey } from './video-queries.ts'

interface VideoUpdatesDeps {
  api: Api
  onVideo: (video: VideoRecord) => void
  onLive: (isLive: boolean) => void
}

const longestDelayMs = 60_000

/** Listens to the changes of the videos that the person may see, until the returned function is called. */
function listenToVideos({ api, onVideo, onLive }: VideoUpdatesDeps): () => void {
  let refusals = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const socket = io('/console', {
    // Starting with polling fails behind a router without sticky sessions.
    transports: ['websocket'],
    auth: (give) =>
      void api.idToken().then(
        (idToken) => give({ idToken }),
        () => give({}), // It will be refused, and the list is polled meanwhile.
      ),
    reconnectionDelayMax: longestDelayMs,
  })
  /** Socket.IO reconnects by itself when the network fails, but not when the server refuses or ends a connection. */
  const connectLater = () => {
    clearTimeout(timer)
    timer = setTimeout(() => socket.connect(), Math.min(longestDelayMs, 1_000 * 2 ** refusals++))
  }
  socket.on('connect', () => {
    refusals = 0
    onLive(true)
  })
  // Usually because the token has expired. The next call of the API renews it.
  socket.on('disconnect', (reason) => {
    onLive(false)
    if (reason === 'io server disconnect') connectLater()
  })
  socket.on('connect_error', () => {
    onLive(false)
    if (!socket.active) connectLater()
  })
  socket.on('video:updated', (video: unknown) => {
    if (Check(videoRoutes.read.success.schema, video)) onVideo(video)
  })
  return () => {
    clearTimeout(timer)
    socket.disconnect()
  }
}

/** Keeps the list of videos up to date while the page is open. Returns whether changes are pushed at present. */
export function useVideoUpdates(): boolean {
  const api = useApi()
  const queryClient = useQueryClient()
  const [isLive, setIsLive] = useState(false)
  useEffect(
    () =>
      listenToVideos({
        api,
        onVideo: (video) =>
          queryClient.setQueryData<VideoRecord[]>(videosKey, (videos) => videos && withVideo(videos, video)),
        onLive(isNowLive) {
          setIsLive(isNowLive)
          // What changed while nobody listened; without a connection this also renews a token that has expired.
          void queryClient.invalidateQueries({ queryKey: videosKey, exact: true })
        },
      }),
    [api, queryClient],
  )
  return isLive
}
