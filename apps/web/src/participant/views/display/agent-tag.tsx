import { texts } from '../../../text/participant.ts'
import './agent-tag.css'

/** R43: says that somebody is a computer program, to everybody who reads or hears the name. */
export const AgentTag = () => <span className="agent-tag">{texts().room.agent}</span>
