/** How much room the quota of a Workspace had at the last update: for push blocks, for changes alone, or not for the last change. */
export type Room = 'ample' | 'short' | 'none';

/** The outcome of an update, as far as the next one depends on it. */
type RoomEvent = 'blockRefused' | 'changeRefused' | 'changesReserved';

/** The room after each outcome, by the room before. A Workspace that was short of room stays near its quota, so it gets no push block again. */
export const roomAfter: Readonly<Record<RoomEvent, Readonly<Record<Room, Room>>>> = {
  blockRefused: { ample: 'short', short: 'short', none: 'none' },
  changeRefused: { ample: 'none', short: 'none', none: 'none' },
  changesReserved: { ample: 'ample', short: 'short', none: 'short' },
};
