import type { TSchema } from 'typebox'
import { RoomAck, SocketAuth } from '../room/actions.ts'
import { RoomEvent } from '../room/events.ts'
import {
  actionRefusals,
  handshakeRefusals,
  type SocketEventName,
  type SocketNamespace,
  socketConventions,
  socketEvents,
  socketNamespaces,
} from '../room/sockets.ts'
import { ClockPong, PlaybackState } from '../room/sync.ts'
import { ComponentView, MessageView, OtherView, RoomSnapshot, StateView } from '../room/view.ts'
import { RoomAssigned, WaitingEnded, WaitingStatus } from '../room/waiting.ts'
import type { SchemaNode } from './document.ts'
import { type ExampleOf, exampleOf } from './example.ts'
import { createPlainSchemas, schemaRef } from './plain-schema.ts'

interface Reference {
  $ref: string
}

export interface MessageObject {
  name: string
  summary: string
  payload: SchemaNode
  examples: { payload: unknown }[]
}

interface OperationObject {
  action: 'send' | 'receive'
  channel: Reference
  summary: string
  messages: Reference[]
  reply?: { channel: Reference; messages: Reference[] }
  'x-refusals'?: readonly string[]
}

interface ChannelObject {
  address: string
  summary: string
  description: string
  messages: Record<string, Reference>
  'x-handshake': {
    auth: SchemaNode
    query: Readonly<Record<string, string>>
    refusals: readonly string[]
  }
}

/** The part of AsyncAPI 3.0 that the reference uses. */
export interface AsyncApiDocument {
  asyncapi: '3.0.0'
  info: { title: string; version: string; description: string; license: { name: string } }
  defaultContentType: 'application/json'
  channels: Record<string, ChannelObject>
  operations: Record<string, OperationObject>
  components: { schemas: Record<string, SchemaNode>; messages: Record<string, MessageObject> }
}

const named: Readonly<Record<string, TSchema>> = {
  SocketAuth,
  RoomAck,
  WaitingStatus,
  RoomAssigned,
  WaitingEnded,
  RoomSnapshot,
  RoomEvent,
  StateView,
  ComponentView,
  MessageView,
  OtherView,
  ClockPong,
  PlaybackState,
}

/** Describes the sockets of participants from the schemas that server and client use. “Receive” is what the server receives. */
export function buildAsyncApi({ version }: { version: string }): AsyncApiDocument {
  const plain = createPlainSchemas(named)
  const schemas = plain.components()
  const messages: Record<string, MessageObject> = {}
  function addMessage(key: string, name: string, summary: string, schema: TSchema, kind: ExampleOf) {
    const payload = plain.plain(schema)
    const example = exampleOf({ components: { schemas } }, payload, kind, name)
    messages[key] = { name, summary, payload, examples: [{ payload: example }] }
    return { $ref: `#/components/messages/${key}` }
  }

  const channels: Record<string, ChannelObject> = {}
  const operations: Record<string, OperationObject> = {}
  for (const namespace of socketNamespaces) {
    const channel = namespace.path.slice(1)
    const inChannel = (key: string) => ({ $ref: `#/channels/${channel}/messages/${key}` })
    const found: Record<string, Reference> = {}
    for (const [name, { payload, acknowledgement, description, refusals }] of Object.entries(
      namespace.actions,
    )) {
      const reply = `${name}.acknowledgement`
      found[name] = addMessage(name, name, description, payload, 'request')
      found[reply] = addMessage(reply, reply, `How \`${name}\` is acknowledged.`, acknowledgement, 'answer')
      operations[name] = {
        action: 'receive',
        channel: { $ref: `#/channels/${channel}` },
        summary: description,
        messages: [inChannel(name)],
        reply: { channel: { $ref: `#/channels/${channel}` }, messages: [inChannel(reply)] },
        'x-refusals': [...actionRefusals, ...refusals],
      }
    }
    for (const [name, summary] of eventsOf(namespace)) {
      found[name] = addMessage(name, name, summary, socketEvents[name], 'answer')
      operations[`${channel}.${name}`] = {
        action: 'send',
        channel: { $ref: `#/channels/${channel}` },
        summary,
        messages: [inChannel(name)],
      }
    }
    channels[channel] = {
      address: namespace.path,
      summary: namespace.summary,
      description: namespace.description,
      messages: found,
      'x-handshake': {
        auth: { $ref: schemaRef('SocketAuth') },
        query: namespace.query,
        refusals: [...handshakeRefusals, ...namespace.refusals],
      },
    }
  }
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Atrium sockets',
      version,
      description: socketConventions,
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    channels,
    operations,
    components: { schemas, messages },
  }
}

const eventsOf = ({ events }: SocketNamespace) => Object.entries(events) as [SocketEventName, string][]
