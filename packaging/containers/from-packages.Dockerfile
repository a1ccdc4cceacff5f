# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The driver from its Debian packages, which lie in a folder:
# docker build -f packaging/containers/from-packages.Dockerfile -t lanewise FOLDER
FROM debian:12-slim
COPY lanewise-opencl-icd_*.deb lanewise-tools_*.deb /packages/
RUN apt-get update \
  && apt-get install -y --no-install-recommends /packages/*.deb ocl-icd-libopencl1 clinfo \
  && rm -rf /packages /var/lib/apt/lists/* \
  && useradd --create-home --uid 1000 user
USER user
CMD ["lanewise-info"]
