import type { LivePush } from '@atrium/contract'
import { LRUCache } from 'lru-cache'
import { coalesced } from '../../../kernel/coalesce.ts'
import { hideSessionIds } from '../../../kernel/ids.ts'
import { changeBetween, createObserver, type Observation, type ObserverDeps } from './observe.ts'

/** Somebody who watches an experiment. */
export interface Watcher {
  /** `whole` is for those who have missed something. */
  push(change: string, whole: () => string): void
  beat(): void
  end(): void
}

interface Feed {
  watchers: Set<Watcher>
  latest: Observation
  /** Nobody watched any more, or a look failed: whoever comes next opens another. */
  isOver: boolean
}

interface LiveFeedDeps extends ObserverDeps {
  onBackgroundError(error: unknown): void
}

const lookEveryMs = 1_000
/** A large study on a slow database: what a look took is what everybody else gets as well, three times over. */
const restFactor = 3
const beatEveryMs = 15_000
const maxObservers = 500

/**
 * RM144: one look a second at each experiment that somebody watches, shared by everybody who does. Rooms that other
 * instances hold are read from the store, so it needs no message from them.
 */
export function createLiveFeed(deps: LiveFeedDeps) {
  const feeds = new Map<string, Promise<Feed>>()
  /** Whoever asks again and again shares what is seldom read with everybody else. */
  const observers = new LRUCache<string, ReturnType<typeof newObserver>>({ max: maxObservers })

  function observerOf(experimentId: string) {
    const observer = observers.get(experimentId) ?? newObserver(deps, experimentId)
    observers.set(experimentId, observer)
    return observer
  }

  async function open(experimentId: string): Promise<Feed> {
    const { observe } = observerOf(experimentId)
    const feed: Feed = { watchers: new Set(), latest: await observe(), isOver: false }
    let beatAt = deps.clock.now() + beatEveryMs

    async function look(): Promise<void> {
      const startedAt = deps.clock.now()
      tell(feed, await observe(feed.latest))
      if (startedAt >= beatAt) {
        beatAt = startedAt + beatEveryMs
        for (const watcher of feed.watchers) watcher.beat()
      }
      plan(Math.max(lookEveryMs, restFactor * (deps.clock.now() - startedAt)))
    }

    function plan(afterMs: number): void {
      const timer = setTimeout(() => {
        if (feed.watchers.size === 0) finish()
        else
          look().catch((error: unknown) => {
            deps.onBackgroundError(error)
            finish()
          })
      }, afterMs)
      timer.unref()
    }

    /** Whoever still watches asks again, and is told what is wrong: nobody must take an old picture for a live one. */
    function finish(): void {
      feed.isOver = true
      feeds.delete(experimentId)
      for (const watcher of feed.watchers) watcher.end()
    }

    plan(lookEveryMs)
    return feed
  }

  async function feedOf(experimentId: string): Promise<Feed> {
    const opening = feeds.get(experimentId) ?? open(experimentId)
    feeds.set(experimentId, opening)
    try {
      return await opening
    } catch (error) {
      if (feeds.get(experimentId) === opening) feeds.delete(experimentId)
      throw error
    }
  }

  return {
    /** What is going on now, for somebody who does not watch. */
    read: async (experimentId: string) => (await observerOf(experimentId).lookOnce()).live,
    /** Returns the first message, which is whole, and a function that ends the watching. */
    async join(experimentId: string, watcher: Watcher): Promise<{ first: string; leave(): void }> {
      for (;;) {
        const feed = await feedOf(experimentId)
        // Since this was looked up.
        if (feed.isOver) continue
        feed.watchers.add(watcher)
        return { first: wholeOf(feed), leave: () => void feed.watchers.delete(watcher) }
      }
    },
  }
}

function newObserver(deps: LiveFeedDeps, experimentId: string) {
  const observe = createObserver(deps, experimentId)
  // Many who ask at once share a look, which may have to read a thousand rooms.
  return { observe, lookOnce: coalesced(() => observe()) }
}

function tell(feed: Feed, next: Observation): void {
  const change = changeBetween(feed.latest, next)
  feed.latest = next
  if (!change) return
  const text = messageOf(change)
  for (const watcher of feed.watchers) watcher.push(text, () => wholeOf(feed))
}

/** R59: what people wrote may contain a session's id. */
const messageOf = (push: LivePush): string => `data: ${hideSessionIds(JSON.stringify(push))}\n\n`

const wholeOf = ({ latest: { live } }: Feed): string => messageOf({ ...live, isWhole: true, gone: [] })
