import { createContext, type PropsWithChildren, useContext, useState, useSyncExternalStore } from 'react'
import { createStage, mediaFor, type Stage, type StagedMedia } from './stage.ts'

const StageContext = createContext<Stage | null>(null)

/** Wraps the whole page, including global components, so that ratings and media find each other. */
export function MediaStage({ children }: PropsWithChildren) {
  const [stage] = useState(createStage)
  return <StageContext value={stage}>{children}</StageContext>
}

export function useStage(): Stage {
  const stage = useContext(StageContext)
  if (!stage) throw new Error('Media and ratings must stand inside a <MediaStage>.')
  return stage
}

export function useMedia(mediaId: string | undefined): StagedMedia | undefined {
  const stage = useStage()
  return mediaFor(useSyncExternalStore(stage.subscribe, stage.media), mediaId)
}

export function useIsHeld(mediaId: string): boolean {
  const stage = useStage()
  return useSyncExternalStore(stage.subscribe, () => stage.isHeld(mediaId))
}
