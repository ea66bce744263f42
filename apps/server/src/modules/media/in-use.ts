import { AppError } from '../../kernel/app-error.ts'
import { sightOf } from '../experiments/index.ts'
import type { Identity } from '../identity/index.ts'
import type { MediaParts } from './media-parts.ts'

/** V9: the refusal to delete a video that experiments need, which may belong to people who do not share them. */
export async function inUse(
  { store, clock }: MediaParts,
  videoId: string,
  identity: Identity,
): Promise<AppError> {
  const now = clock.now()
  const seen = await store.seen({ videoId, sight: sightOf(identity), now })
  const experiments = seen?.usedBy ?? []
  const others = Math.max(0, (await store.countUses(videoId, now)) - experiments.length)
  const details = { experiments, others }
  if (others === 0) return new AppError('VIDEO_IN_USE', details)
  const uses =
    others === 1
      ? 'An experiment that you may not see uses'
      : `${others} experiments that you may not see use`
  return new AppError(
    'VIDEO_IN_USE',
    details,
    `${uses} this video, so it cannot be deleted. An administrator can tell you whose.`,
  )
}
