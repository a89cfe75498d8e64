import { setFlagsFromString } from 'node:v8';

/*
 * Connections that come and go by the thousand leave garbage that V8 takes for something that will live long. By default it lets the
 * heap grow to about four times what is really in use before it looks. Three quarters as much again is enough.
 */
setFlagsFromString('--heap-growing-percent=75');

/*
 * A long answer goes through as buffers, of which V8 by default sees the small objects that hold them, and lets some 64 MB of them gather.
 */
setFlagsFromString('--external-memory-accounted-in-global-limit');
