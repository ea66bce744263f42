import { AppError } from '../../kernel/app-error.ts'
import { sightOf } from '../experiments/index.ts'
import type { Identity } from '../identity/index.ts'
import type { MediaParts } from './media-parts.ts'

/** V9: the refusal to delete a video that experiments need. It names those that the person may see. */
export async function inUse(
  { store, clock }: MediaParts,
  videoId: string,
  identity: Identity,
): Promise<AppError> {
  const seen = await store.seen({ videoId, sight: sightOf(identity), now: clock.now() })
  return new AppError('VIDEO_IN_USE', { experiments: seen?.usedBy ?? [] })
}
