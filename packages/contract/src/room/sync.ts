import { Type } from 'typebox'
import { DurationMs, EpochMs, Name } from '../text.ts'

/** R27: the namespace `/sync`, on the instance of the room: clock and playback. */

/** Fractional milliseconds of a monotonic clock of the client, which only the client interprets. */
const ClientMs = Type.Number({ minimum: 0, maximum: 8_640_000_000_000_000 })

export const ClockPing = Type.Object({ t0: ClientMs }, { additionalProperties: false })

/** The acknowledgement of `clock_ping`: when it arrived and when the answer left, in server time with fractions. */
export const ClockPong = Type.Object({ t0: ClientMs, t1: Type.Number(), t2: Type.Number() })
export type ClockPong = Type.Static<typeof ClockPong>

const playbackStatuses = ['preparing', 'playing', 'paused', 'waiting', 'ended'] as const
export type PlaybackStatus = (typeof playbackStatuses)[number]

const PositionMs = Type.Number({
  minimum: 0,
  maximum: 864_000_000,
  description: 'Position in the medium, in milliseconds',
})

/**
 * Sent for every medium that plays in step, on connecting and whenever it changes. At server time `atServerTime`, which
 * may be in the future, the medium is at `positionMs`; from then on it moves at `rate` while playing.
 */
export const PlaybackState = Type.Object({
  componentId: Type.String(),
  status: Type.Enum(playbackStatuses, {
    description:
      '`preparing`: before the start, until everyone has buffered; `waiting`: somebody’s connection has stalled, or a rating is awaited',
  }),
  positionMs: PositionMs,
  atServerTime: EpochMs('Server time'),
  rate: Type.Number({ minimum: 0.25, maximum: 4 }),
})
export type PlaybackState = Type.Static<typeof PlaybackState>

const about = {
  actionId: Type.Optional(Name(128, 'Chosen by the client; repeating an action under the same id is safe')),
  componentId: Name(200, 'The video or audio'),
}

/** What a participant may send on `/sync` besides `clock_ping`. The name is the socket event; acknowledged as in a room. */
export const syncActions = {
  /** Allowed to the role in `controlledBy`. */
  playback_command: Type.Object(
    {
      ...about,
      command: Type.Enum(['play', 'pause', 'seek']),
      positionMs: Type.Optional(PositionMs),
      rate: Type.Optional(Type.Number({ minimum: 0.25, maximum: 4 })),
    },
    { additionalProperties: false },
  ),
  /** Whether this participant could play now; the room waits for those who cannot, up to a limit. */
  playback_buffer: Type.Object(
    { ...about, status: Type.Enum(['ready', 'stalled']) },
    { additionalProperties: false },
  ),
  /** Kept as data, and observed by `app_sync_accuracy_ms`. */
  sync_report: Type.Object(
    {
      ...about,
      driftMs: Type.Number({
        minimum: -86_400_000,
        maximum: 86_400_000,
        description: 'Position of this participant minus the position of the room',
      }),
      rttMs: DurationMs('Round-trip time of the clock measurement in use'),
    },
    { additionalProperties: false },
  ),
} as const
export type SyncActionName = keyof typeof syncActions
export type SyncActionPayload<Name extends SyncActionName> = Type.Static<(typeof syncActions)[Name]>
