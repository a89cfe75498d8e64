/** A place between two events of a stream: before the event of this index in the message of this sequence. */
export interface Position {
  readonly sequence: number;
  readonly index: number;
}

/** A position as the text of a cursor. With the creation of the stream, a cursor of a former stream shows. */
export function positionText(createdAt: Date, { sequence, index }: Position): string {
  return `${createdAt.getTime()}.${sequence}.${index}`;
}

/** The parts of a position's text. */
export function readPosition(text: string): { createdAt: Date; position: Position } {
  const [createdAt, sequence, index] = text.split('.').map(Number) as [number, number, number];
  return { createdAt: new Date(createdAt), position: { sequence, index } };
}
