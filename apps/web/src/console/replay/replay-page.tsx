import type { RoomMoments } from '@atrium/contract'
import { Alert, Anchor, Button, CopyButton, Group, NativeSelect, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { texts } from '../../text/console.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { isNotFound, NotFound, NothingHere } from '../feedback/nothing-here.tsx'
import { PageTitle } from '../feedback/page-title.tsx'
import { AsParticipant } from './as-participant.tsx'
import { FromAbove } from './from-above.tsx'
import { MomentList } from './moment-list.tsx'
import './replay.css'
import { useMoments, useRoomAt } from './replay-queries.ts'
import { Timeline } from './timeline.tsx'
import { usePlayer } from './use-player.ts'

interface ReplayPageProps {
  experimentId: string
  roomId: string
}

export default function ReplayPage({ experimentId, roomId }: ReplayPageProps) {
  const text = texts().replay
  const moments = useMoments(roomId)
  const address = `/experiments/${experimentId}/rooms/${roomId}`
  return (
    <Stack>
      <Anchor component={Link} href={address} size="sm">
        {text.back}
      </Anchor>
      <PageTitle>{text.title}</PageTitle>
      {isNotFound(moments.error) ? (
        <NotFound what="room" />
      ) : (
        <Loaded query={moments} skeletonHeight={480}>
          {(data) =>
            data.moments.length === 0 ? (
              <NothingHere title={text.none}>{text.noneMessage}</NothingHere>
            ) : (
              <Replay recorded={data} address={`${address}/replay`} />
            )
          }
        </Loaded>
      )}
    </Stack>
  )
}

/** Shorter, and the history of a browser would refuse to keep up with a replay at its quickest. */
const addressAfterMs = 400

function Replay({ recorded, address }: { recorded: RoomMoments; address: string }) {
  const text = texts().replay
  const { moments, seats, isWhole, roomId } = recorded
  const query = new URLSearchParams(useSearch())
  const [, navigate] = useLocation()
  const linked = query.get('at')
  const player = usePlayer(moments, linked === null ? null : Number(linked))
  const [as, setAs] = useState(query.get('as'))
  const seat = seats.find(({ participantId }) => participantId === as)
  const { moment } = player
  const room = useRoomAt(roomId, moment?.number, seat?.participantId ?? null)
  const link = `${address}?at=${moment?.number ?? 0}${seat ? `&as=${seat.participantId}` : ''}`
  useEffect(() => {
    const timer = setTimeout(() => navigate(link, { replace: true }), addressAfterMs)
    return () => clearTimeout(timer)
  }, [link, navigate])
  return (
    <Stack>
      {!isWhole && <Alert color="yellow">{text.notWhole}</Alert>}
      <Timeline moments={moments} player={player} />
      <Group justify="space-between" align="flex-end">
        <NativeSelect
          label={text.seenBy}
          value={seat?.participantId ?? ''}
          onChange={({ currentTarget }) => setAs(currentTarget.value || null)}
          data={[
            { value: '', label: text.above },
            ...seats.map(({ participantId, alias, role }) => ({
              value: participantId,
              label: text.as(alias, role),
            })),
          ]}
        />
        <CopyButton value={`${globalThis.location.origin}/console${link}`} timeout={2_000}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? text.copied : text.copy}
            </Button>
          )}
        </CopyButton>
      </Group>
      <div className="replay-panes">
        <div>
          <Loaded query={room} skeletonHeight={420}>
            {(at) => (seat ? <AsParticipant room={at} alias={seat.alias} /> : <FromAbove room={at} />)}
          </Loaded>
        </div>
        <MomentList moments={moments} index={player.index} onChoose={player.goTo} />
      </div>
    </Stack>
  )
}
