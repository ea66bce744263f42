import { Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked'
import { Fragment, type ReactNode, useMemo } from 'react'
import { decoded, isSafeLink, isSafePicture } from './markdown-text.ts'
import './display.css'

/** Researchers' texts hold variables that participants wrote: there is no HTML, so markup in them stays text. */
class TextOnly extends Tokenizer {
  override html(): undefined {
    return undefined
  }
  override tag(): undefined {
    return undefined
  }
}

const tokensOf = (text: string): Token[] => new Lexer({ gfm: true, tokenizer: new TextOnly() }).lex(text)

/** Paragraphs, lists and headings each by their own letters: an Arabic text on an English page, and the other way round. */
export function Markdown({ text }: { text: string }) {
  const content = useMemo(() => contentOf(text), [text])
  return <div className="markdown">{content}</div>
}

function contentOf(text: string): ReactNode {
  try {
    return shown(tokensOf(text))
  } catch {
    // Thousands of quotations in each other are too deep to read, and must not take the page with them.
    return <p dir="auto">{text}</p>
  }
}

const shown = (tokens: readonly Token[] = []): ReactNode =>
  tokens.map((token, index) => <Fragment key={index}>{shownToken(token as MarkedToken)}</Fragment>)

function shownToken(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'paragraph':
      return <p dir="auto">{shown(token.tokens)}</p>
    case 'text':
      return token.tokens ? shown(token.tokens) : decoded(token.text)
    case 'escape':
      return token.text
    case 'strong':
      return <strong>{shown(token.tokens)}</strong>
    case 'em':
      return <em>{shown(token.tokens)}</em>
    case 'del':
      return <del>{shown(token.tokens)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'code':
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      )
    case 'br':
      return <br />
    case 'hr':
      return <hr />
    case 'heading':
      return <Heading {...token} />
    case 'blockquote':
      return <blockquote dir="auto">{shown(token.tokens)}</blockquote>
    case 'list':
      return <List {...token} />
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'table':
      return <Table {...token} />
    case 'link':
      return <Link {...token} />
    case 'image':
      return <Image {...token} />
    case 'html':
      return token.raw
    case 'list_item':
    case 'space':
    case 'def':
      return null
  }
}

/** One level lower than written, because the page has its own h1. */
const levels = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const

function Heading({ depth, tokens }: Tokens.Heading) {
  const Tag = levels[depth - 1] ?? 'h6'
  return <Tag dir="auto">{shown(tokens)}</Tag>
}

function List({ ordered, start, items }: Tokens.List) {
  const entries = items.map(({ tokens }, index) => <li key={index}>{shown(tokens)}</li>)
  return ordered ? (
    <ol dir="auto" start={start === '' || start === 1 ? undefined : start}>
      {entries}
    </ol>
  ) : (
    <ul dir="auto">{entries}</ul>
  )
}

function Table({ header, rows }: Tokens.Table) {
  return (
    <table>
      <thead>
        <Row cells={header} Cell="th" />
      </thead>
      <tbody>
        {rows.map((cells, index) => (
          <Row key={index} cells={cells} Cell="td" />
        ))}
      </tbody>
    </table>
  )
}

const Row = ({ cells, Cell }: { cells: Tokens.TableCell[]; Cell: 'th' | 'td' }) => (
  <tr>
    {cells.map(({ tokens, align }, index) => (
      <Cell key={index} style={align === null ? undefined : { textAlign: align }}>
        {shown(tokens)}
      </Cell>
    ))}
  </tr>
)

/** Opens in a new tab, so that the participant does not leave the study. */
function Link({ href, title, tokens }: Tokens.Link) {
  const address = decoded(href)
  if (!isSafeLink(address)) return shown(tokens)
  return (
    <a href={address} title={title ? decoded(title) : undefined} target="_blank" rel="noopener noreferrer">
      {shown(tokens)}
    </a>
  )
}

function Image({ href, title, text }: Tokens.Image) {
  const address = decoded(href)
  const description = decoded(text)
  if (!isSafePicture(address)) return description
  return <img src={address} alt={description} title={title ? decoded(title) : undefined} />
}
