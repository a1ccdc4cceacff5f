# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The driver from a checkout: docker build -f packaging/containers/from-source.Dockerfile -t lanewise .
FROM debian:12 AS build
COPY . /lanewise
WORKDIR /lanewise
RUN apt-get update && scripts/setup \
  && cmake --preset install && cmake --build --preset install \
  && DESTDIR=/image cmake --install build/install --prefix /usr --strip

FROM debian:12-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends libstdc++6 zlib1g ocl-icd-libopencl1 clinfo \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --create-home --uid 1000 user
COPY --from=build /image /
RUN ldconfig
USER user
CMD ["lanewise-info"]
