// SPDX-License-Identifier: MIT
// OpenEXR. Only CRare uses this module, for the paths of headers and libraries; its files include them.
