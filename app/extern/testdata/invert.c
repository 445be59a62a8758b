/* Inverts 8-bit voxels: external "./invert" dtype=uint8.   cc -O2 -o invert invert.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    static char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        size_t bytes = strtoul(strstr(line, "\"bytes\":") + 8, NULL, 10);
        unsigned char *npy = malloc(bytes);
        if (!npy || fread(npy, 1, bytes, stdin) != bytes)
            return 1;
        /* The header of a .npy file of version 1: 10 bytes, of which the last two are the length of the text. */
        for (size_t i = 10 + npy[8] + 256 * npy[9]; i < bytes; i++)
            npy[i] = 255 - npy[i];
        if (fwrite(npy, 1, bytes, stdout) != bytes || fflush(stdout))
            return 1;
        free(npy);
    }
    return 0;
}
