import type { RoomMoment } from '@atrium/contract'
import { ActionIcon, Group, SegmentedControl, Text } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { texts } from '../../text/console.ts'
import { NextIcon, PauseIcon, PlayIcon, PreviousIcon } from '../shell/icons.tsx'
import { placeOf, sentenceOf } from './moment-list.tsx'
import { elapsed, indexAt } from './player.ts'
import type { usePlayer } from './use-player.ts'

const speeds = [1, 5, 20]
/** More would be a grey bar. */
const maxMarks = 400

interface TimelineProps {
  moments: readonly RoomMoment[]
  player: ReturnType<typeof usePlayer>
}

/** The whole room on a line: drag it, step through it, or let it run. */
export function Timeline({ moments, player }: TimelineProps) {
  const text = texts().replay
  const { index, moment, isPlaying } = player
  const [begin, end] = [moments[0]?.at ?? 0, moments.at(-1)?.at ?? 0]
  if (!moment) return null
  return (
    <section aria-label={text.player}>
      <div className="replay-line">
        <Marks moments={moments} begin={begin} end={end} />
        <input
          type="range"
          min={0}
          max={Math.max(1, end - begin)}
          step="any"
          value={moment.at - begin}
          aria-label={text.position}
          aria-valuetext={text.at(elapsed(moment.at - begin), sentenceOf(moment))}
          onChange={({ currentTarget }) => player.goTo(indexAt(moments, begin + Number(currentTarget.value)))}
          onKeyDown={(event) => pressKey(event, player, moments.length)}
        />
      </div>
      <Group gap="xs" mt={4}>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={text.previous}
          disabled={index === 0}
          onClick={() => player.goTo(index - 1)}
        >
          <PreviousIcon />
        </ActionIcon>
        <ActionIcon
          variant="filled"
          size="lg"
          aria-label={isPlaying ? text.pause : text.play}
          onClick={player.toggle}
        >
          {isPlaying ? <PauseIcon /> : <PlayIcon />}
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={text.next}
          disabled={index === moments.length - 1}
          onClick={() => player.goTo(index + 1)}
        >
          <NextIcon />
        </ActionIcon>
        <SegmentedControl
          transitionDuration={0}
          size="xs"
          aria-label={text.speed}
          value={String(player.speed)}
          onChange={(value) => player.setSpeed(Number(value))}
          data={speeds.map((speed) => ({ value: String(speed), label: text.times(speed) }))}
        />
        <Text size="sm" c="dimmed" className="figure" ml="auto">
          {elapsed(moment.at - begin)} / {elapsed(end - begin)} · {text.count(index + 1, moments.length)}
        </Text>
      </Group>
      <Text fw={600} mt="xs">
        {placeOf(moment)}
      </Text>
      <Text size="sm" c="dimmed" className="replay-sentence" aria-live={isPlaying ? 'off' : 'polite'}>
        {sentenceOf(moment)}
      </Text>
    </section>
  )
}

/** Arrows step from moment to moment: milliseconds mean nothing to anybody. */
function pressKey(event: KeyboardEvent, player: TimelineProps['player'], count: number): void {
  const steps: Record<string, number> = {
    ArrowLeft: player.index - 1,
    ArrowDown: player.index - 1,
    ArrowRight: player.index + 1,
    ArrowUp: player.index + 1,
    PageDown: player.index - 10,
    PageUp: player.index + 10,
    Home: 0,
    End: count - 1,
  }
  const wanted = steps[event.key]
  if (wanted === undefined && event.key !== ' ') return
  event.preventDefault()
  if (wanted === undefined) player.toggle()
  else player.goTo(wanted)
}

function Marks({ moments, begin, end }: { moments: readonly RoomMoment[]; begin: number; end: number }) {
  const length = Math.max(1, end - begin)
  const shown =
    moments.length <= maxMarks ? moments : moments.filter(({ entered, ended }) => entered || ended)
  return (
    <svg className="replay-marks" viewBox="0 0 1000 16" preserveAspectRatio="none" aria-hidden="true">
      {shown.slice(0, 2 * maxMarks).map(({ number, at, entered, ended }) => {
        const x = (1_000 * (at - begin)) / length
        const isTall = entered || ended
        return <line key={number} x1={x} x2={x} y1={isTall ? 0 : 8} y2={16} data-tall={isTall || undefined} />
      })}
    </svg>
  )
}
