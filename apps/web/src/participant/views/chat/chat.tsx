import { useEffect, useId, useRef, useState } from 'react'
import { pageLocale, texts } from '../../../text/participant.ts'
import { namesOf } from '../../room/names.ts'
import { loadUnsent, saveUnsent } from '../../room/typed.ts'
import { AgentTag } from '../display/agent-tag.tsx'
import { useSending } from '../gates/use-sending.ts'
import { lengthOf } from '../questions/answer.ts'
import { Refusal } from '../questions/problem.tsx'
import type { SettledProps } from '../settings/with-settings.tsx'
import { conversation, type Line } from './conversation.ts'
import './chat.css'

type Props = SettledProps<'chat'>

export function Chat(props: Props) {
  const { component, settings, scene } = props
  const titleId = useId()
  const lines = conversation(scene.messages, {
    chatId: component.id,
    ownAlias: scene.alias,
    names: namesOf(scene.others),
  })
  return (
    <section className="chat" aria-labelledby={titleId}>
      <h2 id={titleId} className={settings.label === undefined ? 'visually-hidden' : 'chat-title'}>
        {settings.label ?? texts().views.chat.title}
      </h2>
      <Lines lines={lines} titleId={titleId} />
      <Writer {...props} />
    </section>
  )
}

/** Within this distance from the end, the reader is assumed to follow the newest messages. */
const nearEndPx = 40

function Lines({ lines, titleId }: { lines: readonly Line[]; titleId: string }) {
  const box = useRef<HTMLDivElement>(null)
  const [isAtEnd, setIsAtEnd] = useState(true)
  const newest = lines.at(-1)
  const showEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight })
  useEffect(() => {
    // People who have scrolled up are reading; only their own message scrolls them back down.
    if (isAtEnd || newest?.side === 'own') showEnd()
  }, [newest?.id])
  return (
    <div className="chat-lines">
      <div
        ref={box}
        className="chat-scroll"
        role="log"
        aria-labelledby={titleId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          setIsAtEnd(scrollHeight - scrollTop - clientHeight < nearEndPx)
        }
      >
        {lines.length === 0 && <p className="hint">{texts().views.chat.empty}</p>}
        {lines.map((line) => (
          <ChatLine key={line.id} {...line} />
        ))}
      </div>
      {!isAtEnd && (
        <button type="button" className="to-newest" onClick={showEnd}>
          {texts().views.chat.toNewest}
        </button>
      )}
    </div>
  )
}

const ChatLine = ({ side, name, isAgent, text, at }: Line) => (
  <div className={`chat-line is-${side}`}>
    {name !== undefined && (
      <span className="chat-name">
        {name}
        {isAgent && <AgentTag />}
      </span>
    )}
    <p className="chat-text" dir="auto">
      {text}
    </p>
    <time className="chat-time" dateTime={new Date(at).toISOString()}>
      {new Date(at).toLocaleTimeString(pageLocale(), { timeStyle: 'short' })}
    </time>
  </div>
)

function Writer({ component, settings, scene }: Props) {
  const { placeholder, maxLength } = settings
  const { participantId, roomId } = scene
  const componentId = component.id
  const [text, setText] = useState(() => loadUnsent({ participantId, roomId, componentId }))
  const field = useRef<HTMLTextAreaElement>(null)
  const { isSending, refusal, submit } = useSending((said: string) => scene.sendMessage(said, component.id))
  useEffect(
    () => saveUnsent({ participantId, roomId, componentId }, text),
    [participantId, roomId, componentId, text],
  )
  const length = lengthOf(text)
  const { count, countOver } = texts().views.question
  const maySend = text.trim() !== '' && length <= maxLength && !isSending && !scene.isStill
  const say = async () => {
    if (!maySend) return
    // The field is cleared only once the message has arrived, and only if the text is still the same.
    if (await submit(text)) setText((now) => (now === text ? '' : now))
    field.current?.focus()
  }
  return (
    // Not a form, because it is inside the form of the page.
    <div className="chat-writer">
      <Refusal message={refusal} />
      <div className="chat-entry">
        <textarea
          ref={field}
          className="text-field"
          dir="auto"
          rows={Math.min(5, text.split('\n').length)}
          aria-label={texts().views.chat.message}
          value={text}
          placeholder={placeholder}
          disabled={scene.isStill}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            void say()
          }}
        />
        <button type="button" className="button" disabled={!maySend} onClick={say}>
          {texts().views.chat.send}
        </button>
      </div>
      {length > maxLength * 0.8 && (
        <p className={length > maxLength ? 'counter is-over' : 'counter'}>
          {length > maxLength ? countOver(length, maxLength) : count(length, maxLength)}
        </p>
      )}
    </div>
  )
}
