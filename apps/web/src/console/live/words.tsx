import type { LiveExperiment, LiveWord } from '@atrium/contract'
import { Button, Group, Text, Title } from '@mantine/core'
import { memo } from 'react'
import { Link } from 'wouter'
import { texts } from '../../text/console.ts'

interface WordsProps {
  experimentId: string
  live: LiveExperiment
  now: number
  /** Only what was said in this room. */
  chosen: { roomId: string; position: number | null } | null
  onShowAll: () => void
}

/** The most that anybody reads as it comes; everything is in the replay. */
const maxShown = 50

/** Chat and answers as they come, the newest first. Each leads to its moment in the replay. */
export function Words({ experimentId, live, now, chosen, onShowAll }: WordsProps) {
  const { live: text, format } = texts()
  const positions = new Map(live.rooms.map(({ roomId, position }) => [roomId, position]))
  const words = live.words.filter(({ roomId }) => !chosen || roomId === chosen.roomId).slice(0, maxShown)
  return (
    <section aria-labelledby="live-words">
      <Group justify="space-between" mb={4}>
        <Title order={3} size="h5" id="live-words">
          {chosen ? text.wordsIn(text.room(chosen.position)) : text.words}
        </Title>
        {chosen && (
          <Button variant="subtle" size="compact-sm" onClick={onShowAll}>
            {text.allRooms}
          </Button>
        )}
      </Group>
      {words.length === 0 ? (
        <Text size="sm" c="dimmed">
          {text.noWords}
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reached with the keyboard
        <ol className="live-list live-words" tabIndex={0} aria-labelledby="live-words">
          {words.map((word) => (
            <Word
              key={nameOf(word)}
              address={`/experiments/${experimentId}/rooms/${word.roomId}/replay?at=${word.number}`}
              who={text.said(positions.get(word.roomId), word.alias)}
              when={format.ago(word.at, now)}
              what={text.spoken(word.kind, word.componentId, word.text)}
            />
          ))}
        </ol>
      )}
    </section>
  )
}

interface WordProps {
  address: string
  who: string
  when: string
  what: string
}

const Word = memo(function Word({ address, who, when, what }: WordProps) {
  return (
    <li>
      <div className="figure live-who">
        <Link href={address}>{who}</Link>
        {` · ${when}`}
      </div>
      <div className="live-said">{what}</div>
    </li>
  )
})

const nameOf = ({ roomId, number, componentId, text }: LiveWord) =>
  `${roomId} ${number} ${componentId} ${text}`
